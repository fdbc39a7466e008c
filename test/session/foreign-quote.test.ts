/** Results of symbols that are not quoted in the reporting currency: a fill counts at the rate of its moment, a holding at the last one. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importRecording } from '../../src/recording/importers/import.ts';
import type { InstrumentSpec } from '../../src/model/market/instrument.ts';
import { resultSchema, type BacktestResult } from '../../src/session/result/result.ts';
import { freshDir, writeFixture } from '../recording/fixtures.ts';
import { swing } from './swings.ts';

const T0 = Date.parse('2026-01-05T00:00:00Z');
const MINUTE = 60_000;
const LAST = 600;

const shared = { market: 'spot', minNotional: '0', status: 'trading', maxQuantity: '100000' } as const;
const BTCUSDT: InstrumentSpec = {
  ...shared,
  symbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.001',
  minQuantity: '0.001',
};
const ETHUSDT: InstrumentSpec = { ...BTCUSDT, symbol: 'ETHUSDT', base: 'ETH' };
const ETHBTC: InstrumentSpec = { ...BTCUSDT, symbol: 'ETHBTC', base: 'ETH', quote: 'BTC', tickSize: '0.000001' };

/** Mids at a minute. A third of the bitcoin's price comes within the data, and the price of ether in two ways differs. */
const MIDS: Readonly<Record<string, (minute: number) => number>> = {
  BTCUSDT: (minute) => 60_000 + 50 * minute,
  ETHBTC: (minute) => 0.05 + 0.000_01 * minute,
  ETHUSDT: (minute) => 3100 + 3 * minute,
};

/** A book a minute of each. */
async function dataOf(specs: readonly InstrumentSpec[]): Promise<string> {
  const lines: object[] = [];
  for (let minute = 0; minute <= LAST; minute++)
    for (const { symbol, tickSize } of specs) {
      const tick = Number(tickSize);
      const text = (price: number): string => price.toFixed(tickSize.length - 2);
      const levels = (price: (at: number) => number): [string, string][] =>
        [[text(price(minute)), '5000'], ...(minute === 0 ? [] : [[text(price(minute - 1)), '0']])] as [
          string,
          string,
        ][];
      lines.push({
        ts: T0 + minute * MINUTE,
        symbol,
        type: minute === 0 ? 'snapshot' : 'depth',
        seq: minute + 1,
        bids: levels((at) => MIDS[symbol]!(at) - tick),
        asks: levels((at) => MIDS[symbol]!(at) + tick),
      });
    }
  const out = join(freshDir(), 'data');
  await importRecording({
    format: 'jsonl',
    files: [writeFixture('data.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))],
    symbols: specs.map(({ symbol }) => symbol),
    out,
    now: T0,
    instrumentFile: writeFixture('data.json', JSON.stringify(specs)),
  });
  return out;
}

async function run(data: string, entries: readonly object[]): Promise<BacktestResult> {
  const result = await swing(data, { USDT: '1000000', BTC: '10' }, entries);
  expect(result.failures).toEqual([]);
  return result;
}

/** Of a currency in USDT at the time of a fill; the books change with the minute. */
function rateAt(currency: string, ts: number): number {
  return currency === 'USDT' ? 1 : MIDS[`${currency}USDT`]!(Math.floor((ts - T0) / MINUTE));
}

const QUOTES: Readonly<Record<string, string>> = { BTCUSDT: 'USDT', ETHUSDT: 'USDT', ETHBTC: 'BTC' };

/** By plain arithmetic from the fills; all of them trade one symbol for `pnls`. */
function expected({ fills }: Pick<BacktestResult, 'fills'>) {
  let [fees, volume, netPnl] = [0, 0, 0];
  const worth = (currency: string): number => rateAt(currency, T0 + LAST * MINUTE);
  const lots: { sign: number; price: number; left: number; feeEach: number }[] = [];
  const pnls: number[] = [];
  for (const { ts, symbol, side, price, quantity, fee, feeCurrency } of fills) {
    const quote = QUOTES[symbol]!;
    const base = symbol.slice(0, symbol.length - quote.length);
    const [paid, units, sign, then] = [Number(price), Number(quantity), side === 'buy' ? 1 : -1, rateAt(quote, ts)];
    const feeWorth = Number(fee) * (feeCurrency === quote ? 1 : paid) * then;
    volume += paid * units * then;
    fees += feeWorth;
    netPnl += sign * units * (worth(base) - paid * worth(quote)) - Number(fee) * worth(feeCurrency);
    // A lot is what the position changes by: on spot less a fee in base.
    const moved = Math.abs(sign * units - (feeCurrency === base ? Number(fee) : 0));
    let left = moved;
    while (left > 1e-9 && lots[0] !== undefined && lots[0].sign !== sign) {
      const [lot] = lots;
      const size = Math.min(left, lot.left);
      pnls.push((paid - lot.price) * lot.sign * size * then - size * (lot.feeEach + feeWorth / moved));
      left -= size;
      lot.left -= size;
      if (lot.left < 1e-9) lots.shift();
    }
    if (left > 1e-9) lots.push({ sign, price: paid, left, feeEach: feeWorth / moved });
  }
  return { fees, volume, netPnl, pnls };
}

const swings = (symbol: string, quantity: string, every: number, turns: boolean): object => ({
  params: { symbol, quantity, every, turns },
});

describe('a backtest of a symbol that is quoted in another currency', () => {
  it('counts fees, volume and trades at the rates of their fills, and leverage at that of each moment', async () => {
    const result = await run(await dataOf([BTCUSDT, ETHBTC]), [swings('ETHBTC', '10', 100, true)]);
    const { stats, fills } = result;
    const { fees, volume, pnls } = expected(result);
    expect(fills.length).toBeGreaterThan(4);
    expect(stats.fees).toBeCloseTo(fees, 4);
    expect(stats.volume).toBeCloseTo(volume, 4);
    expect(stats.trades).toBe(pnls.length);
    expect(stats.expectancy).toBeCloseTo(pnls.reduce((sum, pnl) => sum + pnl, 0) / pnls.length, 4);
    expect(resultSchema.safeParse(JSON.parse(JSON.stringify(result))).error).toBeUndefined();
    const last = MIDS['BTCUSDT']!(LAST);
    expect(result.instruments.map(({ symbol, quoteRate }) => [symbol, quoteRate])).toEqual([
      ['BTCUSDT', undefined],
      ['ETHBTC', String(last)],
    ]);
  });
});

describe('strategies where a currency has two prices', () => {
  it('add up to the whole', async () => {
    const result = await run(await dataOf([BTCUSDT, ETHBTC, ETHUSDT]), [
      { tag: 'cross', ...swings('ETHBTC', '10', 100, false), limits: { share: 0.5 } },
      { tag: 'direct', ...swings('ETHUSDT', '5', 70, true), limits: { share: 0.3 } },
    ]);
    const { stats, strategies = [] } = result;
    expect(stats.netPnl).toBeCloseTo(expected(result).netPnl, 4);
    for (const { strategy, stats: own } of strategies) {
      const fills = result.fills.filter((fill) => fill.strategy === strategy);
      for (const name of ['netPnl', 'fees', 'volume'] as const)
        expect(own[name], `${strategy} ${name}`).toBeCloseTo(expected({ fills })[name], 4);
    }
    const sum = (name: 'netPnl' | 'fees' | 'volume'): number =>
      strategies.reduce((total, one) => total + (one.stats[name] ?? Number.NaN), 0);
    for (const name of ['netPnl', 'fees', 'volume'] as const) expect(sum(name), name).toBeCloseTo(stats[name]!, 4);
  });
});
