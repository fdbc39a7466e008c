/** `market.history` in a backtest and from the exchange's candles: the same candles, never of the future. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { candleBody } from '../../src/sandbox/core/market/market-data.ts';
import { CandleStore } from '../../src/sandbox/core/market/candles.ts';
import { candleIntervalsMs, candleSchema } from '../../src/exchange/wire/market/market-data.ts';
import type { MarketDataOperations } from '../../src/exchange/client/operations/market-data.ts';
import { Instruments } from '../../src/model/market/instrument.ts';
import { silentLogger } from '../../src/model/ports.ts';
import type { FrameRow } from '../../src/recording/frames/frame-row.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { exchangeWarmup } from '../../src/session/feed/exchange-warmup.ts';
import { prepareStrategies, type PreparedStrategy } from '../../src/session/strategies.ts';
import { BTC, freshDir, publicRow, recordingOf } from '../recording/fixtures.ts';

const MINUTE = 60_000;
/** On a full hour. */
const T0 = 472_222 * 60 * MINUTE;

/** Says its history at the first trade. */
const STRATEGY = `
import { defineStrategy, note, z } from 'tidewire';
import { map, take } from 'rxjs';
export default defineStrategy({
  name: 'past',
  params: z.object({ symbol: z.string().default('BTCUSDT'), interval: z.string().default('1m'), candles: z.number().default(3) }),
  warmup: ({ symbol, interval, candles }) => [{ symbol, interval, candles }],
  setup: ({ params: { symbol, interval, candles }, market, clock }) => {
    const past = market.history(symbol, interval, candles);
    return market.trades(symbol).pipe(take(1), map(() => note('past', { past, at: clock.now() })));
  },
});
`;

async function prepared(params: Readonly<Record<string, string>>): Promise<readonly PreparedStrategy[]> {
  const file = join(freshDir(), 'past.ts');
  writeFileSync(file, STRATEGY);
  return prepareStrategies({ file, params, entries: [] });
}

/** Two trades a minute, none in minutes 4 and 5. */
const TRADES = Array.from({ length: 40 }, (_, at) => ({ ms: T0 + at * 30_000 + 1000, price: 100 + at })).filter(
  ({ ms }) => Math.floor((ms - T0) / MINUTE) !== 4 && Math.floor((ms - T0) / MINUTE) !== 5,
);

async function recorded(): Promise<string> {
  const rows: FrameRow[] = TRADES.map(({ ms, price }, at) => {
    const data = [{ tradeId: String(at), price: String(price), quantity: '1', side: 'buy', ts: ms }];
    return publicRow(ms * 1000 + 2000, { channel: 'BTCUSDT@trades', seq: at + 1, ts: ms, data });
  });
  return (await recordingOf(rows)).dir;
}

interface Told {
  readonly past: readonly { readonly openTime: number; readonly close: number; readonly volume: number }[];
  readonly at: number;
}

async function run(data: string, over: { readonly fromMs?: number; readonly params?: Record<string, string> } = {}) {
  const { params = {}, ...rest } = over;
  const { result, failures } = await backtest({
    config: configSchema.parse({}),
    strategies: await prepared(params),
    data: [data],
    ...rest,
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  expect([...failures.values()]).toEqual([]);
  const told = result.notes[0]?.data as Told | undefined;
  return {
    minutes: told?.past.map(({ openTime }) => (openTime - T0) / MINUTE),
    closes: told?.past.map(({ close }) => close),
    volumes: told?.past.map(({ volume }) => volume),
    at: told === undefined ? undefined : (told.at - T0) / MINUTE,
    warnings: result.warnings.filter((text) => text.startsWith('past:')),
  };
}

describe('a backtest', () => {
  test('takes it from before --from, and says when there is too little', async () => {
    const data = await recorded();
    expect(await run(data, { fromMs: T0 + 7 * MINUTE })).toMatchObject({ minutes: [4, 5, 6], warnings: [] });
    // A minute that is not over is not among them.
    expect(await run(data, { fromMs: T0 + 7.9 * MINUTE })).toMatchObject({ minutes: [4, 5, 6] });
    const short = await run(data, { fromMs: T0 + 2 * MINUTE });
    expect(short.minutes).toEqual([0, 1]);
    expect(short.warnings).toEqual([expect.stringMatching(/history of BTCUSDT 1m has 2 of 3 candles/)]);
  });

  test('takes the first part of the data where no --from is given: the run begins after it', async () => {
    const data = await recorded();
    const whole = await run(data);
    // The data begin within minute 0.
    expect(whole).toMatchObject({ minutes: [1, 2, 3], warnings: [] });
    expect(whole.at).toBeGreaterThanOrEqual(4);
    expect(await run(data, { params: { interval: '5m', candles: '2' } })).toMatchObject({ minutes: [5, 10] });
  });

  test('has nothing of it where the data are shorter, with a warning', async () => {
    const short = await run(await recorded(), { params: { candles: '30' } });
    expect(short).toMatchObject({ minutes: [], warnings: [expect.stringMatching(/0 of 30 candles/)] });
  });
});

describe('paper and live', () => {
  const instrument = new Instruments([BTC]).find('BTCUSDT')!;

  /** The sandbox's own candles over these trades, as of `now`. */
  function exchange(
    now: number,
    limitMax = 1000,
  ): { readonly marketData: MarketDataOperations; readonly asked: number[] } {
    const store = new CandleStore();
    for (const { ms, price } of TRADES)
      if (ms <= now) store.add(ms, instrument.ticksOf(price), instrument.lotsOf(1), 'buy');
    const asked: number[] = [];
    const candles: MarketDataOperations['candles'] = ({ interval, from = 0, to = now, limit = 100 }) => {
      asked.push(limit);
      const intervalMs = candleIntervalsMs[interval];
      const rows = store.list(intervalMs, from, to, Math.min(limit, limitMax));
      const bodies = rows.map((row) => candleSchema.parse(candleBody(instrument, row, intervalMs, now)));
      return Promise.resolve({ kind: 'value', value: bodies });
    };
    return { marketData: { candles } as MarketDataOperations, asked };
  }

  async function fetched(now: number, params: Readonly<Record<string, string>>, limitMax?: number) {
    const warnings: string[] = [];
    const { marketData, asked } = exchange(now, limitMax);
    const warn = (_: object, text?: string): void => void warnings.push(text ?? '');
    const strategies = await prepared(params);
    const warmup = await exchangeWarmup({ marketData }, strategies, () => instrument, { warn });
    const candles = warmup.get('past')?.get('BTCUSDT') ?? [];
    const closed = candles.filter((candle) => candle.closed);
    return {
      minutes: closed.map(({ openTime }) => (openTime - T0) / MINUTE),
      closes: closed.map(({ close }) => close),
      volumes: closed.map(({ volume }) => volume),
      forming: candles.filter((candle) => !candle.closed).map(({ openTime }) => (openTime - T0) / MINUTE),
      warnings,
      asked,
    };
  }

  test.each([
    ['1m', '3'],
    ['1m', '6'],
    ['5m', '2'],
    ['2m', '3'],
    ['10m', '1'],
  ])('%s, %s candles: those of a backtest from there, empty minutes included', async (interval, candles) => {
    const fromMs = T0 + 12.75 * MINUTE;
    const params = { interval, candles };
    const live = await fetched(fromMs, params);
    const past = await run(await recorded(), { fromMs, params });
    expect(live.minutes).toEqual(past.minutes);
    expect(live.closes).toEqual(past.closes);
    expect(live.volumes).toEqual(past.volumes);
    expect(live.minutes).toHaveLength(Number(candles));
    expect(live.forming).toHaveLength(1);
    expect(live.warnings).toEqual([]);
  });

  test('a list that is answered in pages is read back until there is enough', async () => {
    const { minutes, asked } = await fetched(T0 + 12.75 * MINUTE, { candles: '10' }, 4);
    expect(minutes).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(asked.length).toBeGreaterThan(2);
  });

  test('too little, and an interval that no candles make, are told', async () => {
    const short = await fetched(T0 + 2.5 * MINUTE, { candles: '5' });
    expect(short.minutes).toEqual([0, 1]);
    expect(short.warnings).toEqual([expect.stringMatching(/has 2 of 5 candles; the exchange has no more/)]);
    const odd = await fetched(T0 + 2.5 * MINUTE, { interval: '30s' });
    expect(odd.warnings[0]).toMatch(/no candles that make 30s/);
  });
});
