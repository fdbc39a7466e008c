/** The errors of the testing room (docs/errors.md). */
import { defineErrors } from '../model/errors.ts';

export const testingErrors = defineErrors({
  scenario_expectation: {
    exit: 1,
    meaning: "A scenario's expectation differs from the strategy, its orders or its account.",
    remedy: 'The message lists each difference: correct the strategy, or the expectation.',
  },
  scenario_strategy_failed: {
    exit: 1,
    meaning: 'The strategy of a scenario threw and was stopped.',
    remedy: 'The message holds the error with file and line; its cause is the original error.',
  },
  scenario_no_order: {
    exit: 1,
    meaning: 'A scenario fills an order that does not rest at the simulated exchange.',
    remedy: 'The message lists the orders that rest; name one of them, or let time pass before the fill.',
  },
  scenario_invalid: {
    exit: 2,
    meaning: 'A scenario was given a strategy, a duration, a price or a quantity that it cannot use.',
    remedy: 'Correct what the message names; docs/testing.md lists the steps.',
  },
});
