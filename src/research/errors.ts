/** Errors of report, search and trial ledger. */
import { defineErrors } from '../model/errors.ts';

export const researchErrors = defineErrors({
  report_asset: {
    exit: 1,
    meaning: 'A file that the report is built from, a chart library or its front end, is missing.',
    remedy: 'Install the packages again with `npm ci`; the files of web/report/ belong to the repository.',
  },
  report_unwritable: {
    exit: 1,
    meaning: 'The report cannot be written where it should go.',
    remedy: 'Give another place with --out, or free space. The result file is untouched.',
  },
  report_compare: {
    exit: 2,
    meaning: 'More results were given than one page can compare.',
    remedy: 'Compare fewer at a time; the message names how many fit.',
  },
  report_kind: {
    exit: 2,
    meaning:
      'No report can be made from the file: it comes from another command, is incomplete, or cannot be compared.',
    remedy: 'Give the file that --result of backtest, paper, run, sweep or validate wrote; compare runs alone.',
  },
  sweep_space: {
    exit: 2,
    meaning:
      'The search space is invalid: it cannot be read, or asks for something that the method or the strategy cannot do.',
    remedy: 'Change the file that the message names; docs/research.md shows a complete one.',
  },
  validation_interrupted: {
    exit: 1,
    meaning: 'The validation was stopped before its end: there is no verdict, and the lockbox stays closed.',
    remedy: 'Give the same command again: trials of its search that have ended are not run a second time.',
  },
  trial_ledger: {
    exit: 5,
    meaning: 'The trial ledger cannot be opened or written, so trials would not be counted.',
    remedy:
      'Free space, or mend the permissions of data/. If the file is damaged move it away: counting starts anew, and the report says so.',
  },
});
