/** Denials of actions are no errors: see `model/trading/deny-reason.ts`. */
import { defineErrors } from '../model/errors.ts';

export const riskErrors = defineErrors({
  limit_unknown: {
    exit: 2,
    meaning: 'No limit with this name can be overridden.',
    remedy: 'Use one of the names in the message; docs/risk.md lists all limits.',
  },
  limit_value: {
    exit: 2,
    meaning: 'The value does not fit this limit, or the strategy is unknown.',
    remedy: 'Amounts are decimals such as "2500"; fractions lie between 0 and 1; strategies are named by their tag.',
  },
  not_latched: {
    exit: 2,
    meaning: 'The strategy is not latched, or the symbol not halted, in this session.',
    remedy: '`tidewire limits show SESSION` lists what is.',
  },
  not_on_trial: {
    exit: 2,
    meaning: 'The strategy is not on trial in this session.',
    remedy: '`tidewire limits show SESSION` lists what is; trials exist where `risk.canary` is configured.',
  },
  trial_not_over: {
    exit: 3,
    meaning: 'The trial of the version is not over: it has not run long enough, or has too few fills.',
    remedy: 'Wait, or set `risk.canary.minMs` and `minFills` before the session starts.',
  },
});
