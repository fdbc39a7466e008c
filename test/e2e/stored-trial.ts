/** The moment at which a search of another process has something to lose. Used by the tests of `sweep` and `validate`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LEDGER_PATH, TrialLedger } from '../../src/research/ledger/trial-ledger.ts';
import { until } from './cli.ts';

/** Until the ledger of a working folder holds a trial. */
export async function aStoredTrial(folder: string): Promise<void> {
  const database = join(folder, LEDGER_PATH);
  await until('a stored trial', () => (existsSync(database) && countTrials(database) >= 1 ? true : undefined));
}

function countTrials(path: string): number {
  try {
    const ledger = new TrialLedger(path);
    try {
      return ledger.count();
    } finally {
      ledger.close();
    }
  } catch {
    // The other process is making the file at this moment.
    return 0;
  }
}
