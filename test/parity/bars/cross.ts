/** A cross of two averages through tidewire, over bars: its fills, and what the run took for granted. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../src/model/ports.ts';
import { importRecording } from '../../../src/recording/importers/import.ts';
import { backtest } from '../../../src/session/backtest.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import type { BacktestResult } from '../../../src/session/result/result.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';
import type { Bar, LedgerFill } from './ledger.ts';

const SYMBOL = 'BTCUSDT';
/** Base units of one entry: what a tenth of the smallest volume allows. */
const QUANTITY = '0.001';

/** Averages by plain sums, so that no rounding of an indicator decides. */
const CROSS = `
import { defineCandleStrategy, target, z } from 'tidewire';
export default defineCandleStrategy({
  name: 'cross',
  params: z.object({ fast: z.number(), slow: z.number() }),
  interval: '1m',
  symbols: () => ['${SYMBOL}'],
  setup: () => ({ closes: [] as number[] }),
  onCandle(candle, { params: { fast, slow }, vars: { closes } }) {
    closes.push(candle.close);
    if (closes.length < slow) return;
    const average = (span: number): number => {
      let sum = 0;
      for (let index = closes.length - span; index < closes.length; index++) sum += closes[index]!;
      return sum / span;
    };
    return target('${SYMBOL}', { quantity: average(fast) > average(slow) ? '${QUANTITY}' : '-${QUANTITY}' });
  },
});
`;

export interface Crossed {
  readonly fills: readonly LedgerFill[];
  readonly result: BacktestResult;
}

export interface CrossOptions {
  readonly fast: number;
  readonly slow: number;
  readonly simulation?: object;
}

/** `folder`: an empty one, which the caller removes. */
export async function crossBars(folder: string, bars: readonly Bar[], options: CrossOptions): Promise<Crossed> {
  const csv = join(folder, 'bars.csv');
  const rows = bars.map(({ openTime, open, high, low, close, volume }) =>
    [openTime, open, high, low, close, volume].join(','),
  );
  writeFileSync(csv, ['timestamp,open,high,low,close,volume', ...rows].join('\n'));
  const data = join(folder, 'recording');
  const asked = { symbols: [SYMBOL], out: data, now: 0, intervalMs: 60_000, market: 'derivative' } as const;
  await importRecording({ format: 'candles-csv', files: [csv], ...asked });
  const file = join(folder, 'cross.ts');
  writeFileSync(file, CROSS);
  const { fast, slow, simulation } = options;
  const free = { fees: { maker: '0', taker: '0' }, slippageBps: 0 };
  const { result, failures } = await backtest({
    config: configSchema.parse({ simulation: { ...free, ...simulation } }),
    strategies: await prepareStrategies({ file, params: { fast: `${fast}`, slow: `${slow}` }, entries: [] }),
    data: [data],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  const [failure] = failures.values();
  if (failure !== undefined) throw failure;
  const fills = result.fills.map(({ ts, side, price, quantity }) => ({
    ts,
    side,
    price: Number(price),
    size: Number(quantity) / Number(QUANTITY),
  }));
  return { fills, result };
}
