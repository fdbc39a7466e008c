/**
 * backtesting.py as a judge of fills on bars. It is no dependency: name a Python that has it in TIDEWIRE_BENCH_PYTHON
 * (several are separated by commas); without one the comparison is skipped, saying so.
 *
 *   python3 -m venv peers && peers/bin/pip install backtesting
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Bar, LedgerFill } from './ledger.ts';

const SCRIPT = join(import.meta.dirname, 'backtesting-cross.py');

interface Answer {
  readonly version: string;
  readonly fills: readonly (readonly [ts: number, side: 'buy' | 'sell', price: number, size: number])[];
}

const PYTHONS = (process.env['TIDEWIRE_BENCH_PYTHON'] ?? 'python3').split(',');

/** The first Python that has the package; null when none has. */
export const peerPython: string | null =
  PYTHONS.find((python) => spawnSync(python, ['-c', 'import backtesting, pandas']).status === 0) ?? null;

/** @throws what the script said when it failed */
export function peerFills(python: string, bars: readonly Bar[], signals: readonly number[]): readonly LedgerFill[] {
  const rows = bars.map(({ openTime, open, high, low, close }) => [openTime, open, high, low, close]);
  const input = JSON.stringify({ bars: rows, signals });
  const done = spawnSync(python, [SCRIPT], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (done.status !== 0) throw new Error(`${SCRIPT} failed in ${python}: ${done.stderr.slice(-2000)}`);
  const { fills } = JSON.parse(done.stdout) as Answer;
  return fills.map(([ts, side, price, size]) => ({ ts, side, price, size }));
}
