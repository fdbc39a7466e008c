/** Every error that `operations/` throws, once. */
import { defineErrors } from '../model/errors.ts';

export const operationErrors = defineErrors({
  order_not_found: {
    exit: 2,
    meaning: 'No journal that was looked into knows an order of this name.',
    remedy:
      'Name the ref, the intent id or the id of the exchange; `tidewire journal show SESSION --kind intent` lists what was intended. Give --session when it is not under journal.dir.',
  },
  order_ambiguous: {
    exit: 2,
    meaning: 'Several orders of the session have this ref.',
    remedy: 'Name one of the intent ids in the message, or TAG/REF.',
  },
  bundle_exists: {
    exit: 2,
    meaning: 'The folder for the support bundle is there already.',
    remedy: 'Name another one with --out; nothing is overwritten.',
  },
  bundle_unsafe: {
    exit: 5,
    meaning: 'A secret was found in the support bundle after everything was hidden; nothing was written.',
    remedy: 'Please report this as a bug, without the files. Until it is mended show single lines by hand.',
  },
  moment_not_covered: {
    exit: 2,
    meaning: 'No session covers this moment.',
    remedy: 'Check the time (UTC without a zone); `tidewire status --all` lists the sessions, --session names one.',
  },
});
