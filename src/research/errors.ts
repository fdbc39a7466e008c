/** Errors of research: the report and the trial ledger. */
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
  trial_ledger: {
    exit: 5,
    meaning: 'The trial ledger cannot be opened or written, so trials would not be counted.',
    remedy:
      'Free space, or mend the permissions of data/. If the file is damaged move it away: counting starts anew, and the report says so.',
  },
});
