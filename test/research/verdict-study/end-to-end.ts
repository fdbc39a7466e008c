/**
 * Cases of the verdict study through `validate` itself: bars of ten minutes on disk, a search of sixteen trials, the look-ahead
 * proof, the stress grid and the ledger. Nulls of each shape and edges of each strength, half of them with fees.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../../src/model/random.ts';
import { importRecording } from '../../../src/recording/importers/import.ts';
import { spaceSchema } from '../../../src/research/sweep/space.ts';
import type { ValidationResult } from '../../../src/research/validate/result.ts';
import { validate } from '../../../src/research/validate/validate.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { createSystemClock } from '../../../src/session/clock/system-clock.ts';
import { leanOf, type CaseOptions } from './case.ts';
import { marketOf, MINUTE_MS, MINUTES, START_MS, TICK } from './market.ts';
import { strengths } from './study.ts';
import { emptyTally, type Tally } from './tally.ts';
import { PLANTED_TRIAL, shapes, signalOf, traderOf, TRIALS } from './traders.ts';

const BAR_MINUTES = 10;
const SYMBOL = 'BTCUSDTPERP';

/** `each`: cases a shape of nulls and a strength of edges. */
export async function endToEnd(each: number): Promise<readonly (readonly [string, Tally])[]> {
  const nulls = shapes.flatMap((shape) => casesOf(each, (index) => ({ shape, seed: 20_001 + index, strength: 0 })));
  const planted = (strength: number): readonly CaseOptions[] =>
    casesOf(each, (index) => ({ shape: shapes[index % shapes.length]!, seed: 30_001 + index, strength }));
  const rows: (readonly [string, Tally])[] = [['worth nothing', await tallyOf(nulls)]];
  for (const strength of strengths) rows.push([`planted, t ${strength}`, await tallyOf(planted(strength))]);
  return rows;
}

function casesOf(
  count: number,
  make: (index: number) => Pick<CaseOptions, 'shape' | 'seed' | 'strength'>,
): readonly CaseOptions[] {
  return Array.from({ length: count }, (_, index) => ({ ...make(index), hasFees: index % 2 === 1, hasFalls: false }));
}

async function tallyOf(cases: readonly CaseOptions[]): Promise<Tally> {
  const tally = emptyTally();
  for (const given of cases) tally[(await validated(given)).verdict.level]++;
  return tally;
}

export async function validated({ seed, shape, hasFees, strength }: CaseOptions): Promise<ValidationResult> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-study-'));
  try {
    const isPlanted = strength > 0;
    const random = seededRandom(seed).fork(`study ${shape}`);
    const signal = signalOf(random.fork('signal'), isPlanted);
    const trader = traderOf({ shape, trial: PLANTED_TRIAL, isLongOnly: false, signal, queueTicks: 0 });
    const edge = isPlanted ? { trader, lean: leanOf(shape, strength, false) } : null;
    const data = await barsOf(folder, marketOf(random.fork('market'), { hasFalls: false, rise: 0, edge }));
    const fees = hasFees ? { maker: '0.00002', taker: '0.00004' } : { maker: '0', taker: '0' };
    return await validate({
      file: join(import.meta.dirname, 'strategy.ts'),
      params: { shape, case: String(seed), isPlanted: String(isPlanted) },
      config: configSchema.parse({ simulation: { fees, slippageBps: 0 } }),
      data: [data],
      seed: 1,
      search: {
        space: spaceSchema.parse({ parameters: { trial: { from: 0, to: TRIALS - 1, integer: true, step: 1 } } }),
        method: 'grid',
      },
      walk: { mode: 'rolling', folds: 4, purgeMs: 0, embargoMs: 0 },
      lockboxShare: 0.2,
      openLockbox: false,
      workers: 1,
      trialTimeoutMs: 600_000,
      ledger: join(folder, 'trials.db'),
      clock: createSystemClock(),
      stopped: () => false,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function barsOf(folder: string, mids: Float64Array): Promise<string> {
  const rows = Array.from({ length: MINUTES / BAR_MINUTES }, (_, bar) => {
    const path = mids.subarray(bar * BAR_MINUTES, (bar + 1) * BAR_MINUTES + 1);
    const prices = [path[0]!, Math.max(...path), Math.min(...path), path.at(-1)!].map((ticks) =>
      (ticks * TICK).toFixed(1),
    );
    return [START_MS + bar * BAR_MINUTES * MINUTE_MS, ...prices, (100_000 + (bar % 10) / 10).toFixed(1)].join(',');
  });
  const file = join(folder, 'bars.csv');
  writeFileSync(file, ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
  const out = join(folder, 'bars');
  const kind = { symbols: [SYMBOL], market: 'derivative', intervalMs: BAR_MINUTES * MINUTE_MS } as const;
  await importRecording({ format: 'candles-csv', files: [file], out, now: START_MS, ...kind });
  return out;
}
