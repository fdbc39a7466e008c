/** Errors of the reconciler. */
import { defineErrors } from '../model/errors.ts';

export const reconcilerErrors = defineErrors({
  order_not_in_doubt: {
    exit: 2,
    meaning: 'Nobody has to say whose that order at the exchange is: it could not be one of unknown fate.',
    remedy: '`tidewire plan` shows orders of unknown fate, and beside each which orders at the exchange could be it.',
  },
});
