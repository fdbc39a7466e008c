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
  moment_not_covered: {
    exit: 2,
    meaning: 'No session covers this moment.',
    remedy: 'Check the time (UTC without a zone); `tidewire status --all` lists the sessions, --session names one.',
  },
});
