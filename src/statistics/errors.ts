/** Errors of the statistics. */
import { defineErrors } from '../model/errors.ts';

export const statisticsErrors = defineErrors({
  statistics_input: {
    exit: 1,
    meaning: 'The data handed to the statistics contradicts itself, such as an equity that is not a number.',
    remedy: 'If a result file was edited, run the backtest again; otherwise please report it as a bug.',
  },
});
