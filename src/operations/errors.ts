/** Every error that `operations/` throws, once. */
import { defineErrors } from '../model/errors.ts';

export const operationErrors = defineErrors({
  order_not_found: {
    exit: 2,
    meaning: 'None of the searched journals knows an order with this name.',
    remedy:
      'Name the ref, the intent id or the id of the exchange; `tidewire journal show SESSION --kind intent` lists what was intended. Give --session when it is not under journal.dir.',
  },
  order_ambiguous: {
    exit: 2,
    meaning: 'Several orders of the session have this ref.',
    remedy: 'Name one of the intent ids in the message, or TAG/REF.',
  },
  cancel_unknown: {
    exit: 2,
    meaning: 'The running session knows no order and no program of this ref.',
    remedy: '`tidewire programs` and `tidewire status SESSION` list the refs of programs and orders at work.',
  },
  cancel_ended: {
    exit: 2,
    meaning: 'The order or the program has ended already, so nothing was cancelled.',
    remedy: '`tidewire why REF` says how it ended.',
  },
  cancel_child: {
    exit: 2,
    meaning: 'The order belongs to a working program, which would send it again.',
    remedy: 'Cancel the program: `tidewire cancel` with the ref that the message names.',
  },
  bundle_exists: {
    exit: 2,
    meaning: 'The folder for the support bundle is there already.',
    remedy: 'Name another one with --out; nothing is overwritten.',
  },
  bundle_unsafe: {
    exit: 5,
    meaning: 'A secret was found in the support bundle after everything was hidden; nothing was written.',
    remedy: 'Please report this as a bug, without the files. Until it is fixed, copy single lines by hand.',
  },
  pruned_trades: {
    exit: 5,
    meaning: 'The trades that `data prune` kept of a deleted session cannot be read, or are not what was written.',
    remedy:
      'Put the named file back from a copy of the folder `.trades` under `journal.dir`. Sums without it would miss disposals and use lots that were sold.',
  },
  moment_not_covered: {
    exit: 2,
    meaning: 'No session covers this moment.',
    remedy: 'Check the time (UTC without a zone); `tidewire status --all` lists the sessions, --session names one.',
  },
  operation_refused: {
    exit: 1,
    meaning: 'The exchange refused the operation; nothing was changed.',
    remedy: 'The details contain the code and, if known, the field that the exchange named; correct that.',
  },
  list_incomplete: {
    exit: 4,
    meaning: 'A list could not be read to its end, so a missing row is no evidence.',
    remedy: 'Try again; the message says why the list is incomplete.',
  },
});
