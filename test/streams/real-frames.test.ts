/**
 * Real Binance frames (not part of the project: see ../shared/data) through book sync and the market: no gap, no crossed
 * book, every message accounted for. Skipped, saying so, where the data is absent.
 */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Instruments } from '../../src/model/market/instrument.ts';
import type { DepthEvent, MarketEvent, SequenceRule } from '../../src/model/market/market-event.ts';
import { usFromNanoText } from '../../src/model/time.ts';
import { MarketData } from '../../src/streams/market-data.ts';
import { FakeClock } from './fake-clock.ts';

const DIRECTORY = '../shared/data/binance-frames';
const files = [
  {
    file: 'usdm-btcusdt-20240808.gz',
    symbol: 'BTCUSDT',
    rule: 'pu',
    tick: '0.1',
    lot: '0.001',
    depths: 6551,
    levels: 443_521,
    trades: 21_313,
    quotes: 66_089,
  },
  {
    file: 'spot-btcusdt-20240808.gz',
    symbol: 'BTCUSDT',
    rule: 'U/u',
    tick: '0.01',
    lot: '0.00001',
    depths: 3451,
    levels: 124_090,
    trades: 9757,
    quotes: 28_040,
  },
  {
    file: 'spot-ethusdt-20240808.gz',
    symbol: 'ETHUSDT',
    rule: 'U/u',
    tick: '0.01',
    lot: '0.0001',
    depths: 3434,
    levels: 106_814,
    trades: 6106,
    quotes: 24_077,
  },
] as const;

type Pair = readonly [string, string];

interface Message {
  readonly e?: string;
  readonly E?: number;
  readonly T?: number;
  readonly U?: number;
  readonly u?: number;
  readonly pu?: number;
  readonly t?: number;
  readonly p?: string;
  readonly q?: string;
  readonly m?: boolean;
  readonly b?: unknown;
  readonly a?: unknown;
  readonly B?: string;
  readonly A?: string;
  readonly lastUpdateId?: number;
  readonly bids?: readonly Pair[];
  readonly asks?: readonly Pair[];
}

const present = existsSync(DIRECTORY);
if (!present) process.stderr.write(`skipped: real frames are tested only where ${DIRECTORY} is present\n`);

function decoder(symbol: string, tick: string, lot: string): (line: string) => MarketEvent {
  const instruments = new Instruments([
    {
      symbol,
      market: 'spot',
      base: symbol.slice(0, 3),
      quote: 'USDT',
      tickSize: tick,
      lotSize: lot,
      minQuantity: lot,
      maxQuantity: '1000000',
      minNotional: '5',
      status: 'trading',
    },
  ]);
  const instrument = instruments.all()[0]!;
  const levels = (bids: readonly Pair[], asks: readonly Pair[]): DepthEvent['levels'] => {
    const rows = [...bids, ...asks];
    return {
      sides: Uint8Array.from(rows, (_, index) => (index < bids.length ? 0 : 1)),
      ticks: Float64Array.from(rows, ([price]) => instrument.ticksOf(price)),
      lots: Float64Array.from(rows, ([, quantity]) => instrument.lotsOf(quantity)),
      from: 0,
      to: rows.length,
    };
  };
  return (line) => {
    const space = line.indexOf(' ');
    const receiveUs = usFromNanoText(line.slice(0, space));
    const parsed = JSON.parse(line.slice(space + 1)) as { readonly data?: Message } & Message;
    const data: Message = parsed.data ?? parsed;
    const exchangeMs = data.T ?? data.E;
    const stamp = { instrument, exchangeUs: exchangeMs === undefined ? receiveUs : exchangeMs * 1000, receiveUs };
    if (data.lastUpdateId !== undefined) {
      const lastId = data.lastUpdateId;
      const rows = levels(data.bids ?? [], data.asks ?? []);
      return { kind: 'depth', ...stamp, snapshot: true, firstId: lastId, lastId, previousId: 0, levels: rows };
    }
    if (data.e === 'depthUpdate') {
      const { U: firstId = 0, u: lastId = 0, pu: previousId = 0 } = data;
      const rows = levels(data.b as readonly Pair[], data.a as readonly Pair[]);
      return { kind: 'depth', ...stamp, snapshot: false, firstId, lastId, previousId, levels: rows };
    }
    if (data.e === 'trade') {
      const { p = '', q = '', m = false, t = 0 } = data;
      const ticks = instrument.ticksOf(p);
      return { kind: 'trade', ...stamp, tradeId: `${t}`, ticks, lots: instrument.lotsOf(q), takerBuys: !m };
    }
    const { u: updateId = 0, b = '', B = '', a = '', A = '' } = data;
    const [bidTicks, askTicks] = [instrument.ticksOf(b as string), instrument.ticksOf(a as string)];
    const [bidLots, askLots] = [instrument.lotsOf(B), instrument.lotsOf(A)];
    return { kind: 'quote', ...stamp, updateId, bidTicks, bidLots, askTicks, askLots };
  };
}

describe.skipIf(!present).each(files)('$file', ({ file, symbol, rule, tick, lot, depths, levels, trades, quotes }) => {
  it('has no gap, never a crossed book, and every message is accounted for', () => {
    const lines = gunzipSync(readFileSync(`${DIRECTORY}/${file}`))
      .toString()
      .trimEnd()
      .split('\n');
    const decode = decoder(symbol, tick, lot);
    const counts = { depth: 0, levels: 0, snapshots: 0, trade: 0, quote: 0, traded: 0, tops: 0 };
    const lost: string[] = [];
    const events = lines.map((line) => decode(line));
    const instruments = new Instruments([events[0]!.instrument.spec]);
    const sequenceRule = (): SequenceRule => rule;
    const clock = new FakeClock(0);
    const data = new MarketData({ instruments, clock, sequenceRule, onBookLost: (_, reason) => lost.push(reason) });
    const closed: number[] = [];
    data.gaps(symbol).subscribe(({ reason }) => lost.push(reason));
    data.top(symbol).subscribe(({ bid, ask }) => {
      counts.tops++;
      if (!(bid < ask)) lost.push(`crossed: ${bid} ${ask}`);
    });
    data.trades(symbol).subscribe(() => counts.traded++);
    data.candles(symbol, '1m').subscribe(({ openTime }) => closed.push(openTime));
    for (const event of events) {
      if (event.kind === 'trade' || event.kind === 'quote') counts[event.kind]++;
      if (event.kind === 'depth' && event.snapshot) counts.snapshots++;
      if (event.kind === 'depth' && !event.snapshot) {
        counts.depth++;
        counts.levels += event.levels.to;
      }
      data.onEvent(event);
    }
    expect(lost).toEqual([]);
    expect(counts).toMatchObject({
      depth: depths,
      levels,
      snapshots: 1,
      trade: trades,
      quote: quotes,
      traded: trades,
    });
    expect(counts.tops).toBeGreaterThan(1000);
    expect(data.best(symbol)).toBeDefined();
    expect(closed.length).toBeGreaterThanOrEqual(5);
    for (let index = 1; index < closed.length; index++) expect(closed[index]! - closed[index - 1]!).toBe(60_000);
  });
});
