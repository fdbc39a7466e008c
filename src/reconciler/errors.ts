/** Errors of the reconciler. */
import { defineErrors } from '../model/errors.ts';

export const reconcilerErrors = defineErrors({
  order_not_in_doubt: {
    exit: 2,
    meaning: 'That order at the exchange needs no decision: it cannot be an own order of unknown outcome.',
    remedy:
      '`tidewire plan` shows orders of unknown outcome, and for each the orders at the exchange that it could be.',
  },
});
