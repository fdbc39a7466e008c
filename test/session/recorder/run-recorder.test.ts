/** What a run collects for its result: the rows that a plain list would hold, in a fraction of its memory. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ExecutorEvent, FillEvent } from '../../../src/spine/events.ts';
import type { FillRates } from '../../../src/model/trading/fill.ts';
import { Instruments } from '../../../src/model/market/instrument.ts';
import { seededRandom } from '../../../src/model/random.ts';
import type { OrderState } from '../../../src/model/trading/order.ts';
import { RunRecorder, type RecorderOptions } from '../../../src/session/recorder/run-recorder.ts';
import { BLOCK_ROWS } from '../../../src/session/recorder/packed-rows.ts';
import { BTC } from '../../execution/rig.ts';

const T0 = 1_700_000_000_000;
const SYMBOL = 'BTCUSDT';

function orderEvent(number: number, state: OrderState, ts: number): ExecutorEvent {
  const price = (60_000 + (number % 977) / 10).toFixed(1);
  return {
    kind: 'order',
    strategy: 'spread-maker',
    order: {
      ts,
      ref: `spread-maker-${number}`,
      tag: 'spread-maker',
      symbol: SYMBOL,
      side: number % 2 ? 'buy' : 'sell',
      type: 'limit',
      timeInForce: 'gtc',
      price,
      quantity: '0.001',
      filledQuantity: state === 'filled' ? '0.001' : '0',
      averagePrice: state === 'filled' ? price : null,
      state,
      ...(state === 'canceled' ? { reason: 'replaced' } : {}),
    },
  };
}

function fillEvent(number: number, ts: number): ExecutorEvent {
  return {
    kind: 'fill',
    strategy: 'spread-maker',
    mid: 60_000.05,
    arrivalMid: null,
    fill: {
      ts,
      market: 'derivative',
      symbol: SYMBOL,
      side: number % 2 ? 'buy' : 'sell',
      price: (60_000 + (number % 977) / 10).toFixed(1),
      quantity: '0.001',
      fee: `0.0${12_000 + (number % 977)}`,
      feeCurrency: 'USDT',
      liquidity: 'maker',
      orderId: `sim-${number}`,
      tradeId: `sim-t${number}`,
      ref: `spread-maker-${number}`,
      tag: 'spread-maker',
    },
  };
}

const made = (options: RecorderOptions): RunRecorder => new RunRecorder(new Instruments([]), 'USDT', options);

/** An order every 250 ms, over 100 ms later, each third one filled; the market moves with each. */
function live(recorder: RunRecorder, from: number, to: number): void {
  for (let number = from; number < to; number++) {
    const ts = T0 + number * 250;
    recorder.mark(ts, SYMBOL, 60_000 + (number % 50) / 10);
    recorder.onExecutorEvent(orderEvent(number, 'open', ts));
    if (number % 3 === 0) {
      recorder.venueFilled(SYMBOL, `sim-t${number}`, ts + 100, 0.5);
      recorder.onExecutorEvent(fillEvent(number, ts + 100));
    }
    recorder.onExecutorEvent(orderEvent(number, number % 3 === 0 ? 'filled' : 'canceled', ts + 100));
  }
}

let collected: () => void;

beforeAll(() => {
  setFlagsFromString('--expose-gc');
  collected = runInNewContext('gc') as () => void;
});

/** The second time counts what the first has freed outside of the heap. */
function heldBytes(): number {
  collected();
  collected();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('an order that is over takes less than 300 bytes of a backtest with its fill, where objects took twice as much', () => {
  const recorder = made({ packs: true });
  live(recorder, 0, 5000);
  const before = heldBytes();
  live(recorder, 5000, 65_000);
  const perOrder = (heldBytes() - before) / 60_000;
  expect(perOrder).toBeGreaterThan(0);
  expect(perOrder).toBeLessThan(300);
  expect(recorder.looseRows).toBeLessThanOrEqual(4 * BLOCK_ROWS);
  expect(recorder.orders).toHaveLength(65_000);
  expect(recorder.fills).toHaveLength(65_000 / 3 + 1 / 3);
});

test('the rows are those of a recorder that holds them all, with orders that rest and updates that come late', () => {
  const random = seededRandom(11);
  const packing = made({ packs: true, rowsMax: 6000 });
  const holding = made({ rowsMax: 6000 });
  const plain = new Map<string, unknown>();
  const told = (event: ExecutorEvent): void => {
    packing.onExecutorEvent(event);
    holding.onExecutorEvent(event);
    if (event.kind !== 'order') return;
    const { ref, tag, symbol, side, type, timeInForce, price, quantity, filledQuantity } = event.order;
    const { averagePrice, state, ts, reason } = event.order;
    const before = plain.get(ref) as { readonly createdTs: number } | undefined;
    if (before === undefined && plain.size === 6000) plain.delete(plain.keys().next().value!);
    const head = { ref, tag, symbol, side, type, timeInForce, price, quantity, filledQuantity, averagePrice, state };
    const times = { createdTs: before?.createdTs ?? ts, updatedTs: ts, parent: null, leg: null };
    plain.set(ref, { ...head, ...times, ...(reason === undefined ? {} : { reason }) });
  };
  for (let number = 0; number < 14_000; number++) {
    const ts = T0 + number * 40;
    for (const recorder of [packing, holding]) recorder.mark(ts, SYMBOL, 60_000 + (number % 50) / 10);
    told(orderEvent(number, 'open', ts));
    const rests = random.next() < 0.001;
    if (!rests) told(orderEvent(number, number % 3 === 0 ? 'filled' : 'canceled', ts + 9));
    // Of any order there was, in time or thousands of orders late.
    const late = random.next() < 0.01 ? Math.floor(random.next() * number) : number;
    if (late !== number) told(orderEvent(late, 'filled', ts + 10));
    if (number % 2 === 0) {
      for (const recorder of [packing, holding]) recorder.venueFilled(SYMBOL, `sim-t${number}`, ts + 10, null);
      told(fillEvent(late, ts + 10));
    }
  }
  for (const recorder of [packing, holding]) recorder.end(T0 + 14_000 * 40 + 5000);
  expect(packing.orders).toEqual([...plain.values()]);
  expect(JSON.stringify(packing.fills)).toBe(JSON.stringify(holding.fills));
  expect(packing.fills).toHaveLength(6000);
  expect(packing.warnings()).toEqual(holding.warnings());
  expect(packing.warnings()).toEqual(['only the last 6000 orders are kept', 'only the last 6000 fills are kept']);
  expect(packing.lastFillTs).toBe(packing.fills.at(-1)!.ts);
});

test('the mids after a fill are waited for, however many fills come meanwhile', () => {
  const recorder = made({ packs: true });
  recorder.mark(T0, SYMBOL, 100);
  for (let number = 0; number < 5000; number++) {
    recorder.venueFilled(SYMBOL, `sim-t${number}`, T0, null);
    recorder.onExecutorEvent(fillEvent(number, T0));
  }
  recorder.mark(T0 + 2000, SYMBOL, 101);
  recorder.mark(T0 + 60_000, SYMBOL, 102);
  recorder.end(T0 + 60_000);
  expect(recorder.fills.every(({ midAfter }) => JSON.stringify(midAfter) === '[100,101,101]')).toBe(true);
});

test('a fee in base is worth its fill price, as in the result, wherever the mid is', () => {
  const recorder = new RunRecorder(new Instruments([BTC]), 'USDT');
  recorder.mark(T0, SYMBOL, 61_000);
  const event = fillEvent(0, T0) as Extract<ExecutorEvent, { kind: 'fill' }>;
  const fill = { ...event.fill, market: 'spot', price: '60000', fee: '0.001', feeCurrency: 'BTC' } as const;
  recorder.onExecutorEvent({ ...event, fill });
  expect(recorder.tally('spread-maker').fees).toBe(60);
});

describe('a fill in another currency', () => {
  const ETHBTC = { ...BTC, symbol: 'ETHBTC', base: 'ETH', quote: 'BTC' };
  const start = (): RunRecorder => new RunRecorder(new Instruments([BTC, ETHBTC]), 'USDT');
  const paid = { symbol: 'ETHBTC', market: 'spot', price: '0.05', quantity: '10', fee: '0.002' } as const;

  function filled(recorder: RunRecorder, number: number, over: object, rates?: FillRates): void {
    const event = fillEvent(number, T0 + number) as FillEvent;
    recorder.onExecutorEvent({ ...event, fill: { ...event.fill, ...paid, ...over }, rates });
  }

  const worths = (recorder: RunRecorder): unknown =>
    recorder.fills.map(({ quoteRate, feeValue }) => [quoteRate ?? null, feeValue ?? null]);

  test('counts at the rates that it was learned with, whatever the price does', () => {
    const recorder = start();
    recorder.mark(T0, SYMBOL, 61_000);
    filled(recorder, 1, { feeCurrency: 'BTC' }, { BTC: 60_000 });
    filled(recorder, 2, { feeCurrency: 'ETH' }, { BTC: 62_000.5 });
    filled(recorder, 3, { feeCurrency: 'XYZ' }, { BTC: 63_000, XYZ: 2 });
    recorder.mark(T0 + 9, SYMBOL, 70_000);
    expect(worths(recorder)).toEqual([
      ['60000', null],
      ['62000.5', null],
      ['63000', '0.004'],
    ]);
    const fees = 0.002 * 60_000 + 0.002 * 0.05 * 62_000.5 + 0.002 * 2;
    expect(recorder.tally('spread-maker').fees).toBeCloseTo(fees, 9);
    expect(recorder.warnings()).toEqual([]);
  });

  test('of a journal without rates counts at the price of then', () => {
    const recorder = start();
    recorder.mark(T0, SYMBOL, 61_000);
    filled(recorder, 1, { feeCurrency: 'BTC' });
    recorder.mark(T0 + 9, SYMBOL, 70_000);
    expect(worths(recorder)).toEqual([['61000', null]]);
  });

  test('without a price counts at the first one after, also of a resumed session, and says so', () => {
    const [recorder, resumed] = [start(), start()];
    filled(recorder, 1, { feeCurrency: 'BTC' }, {});
    expect(worths(recorder)).toEqual([[null, null]]);
    expect(recorder.tally('spread-maker').fees).toBe(0);
    const before = structuredClone(recorder.saved());
    recorder.mark(T0 + 8, SYMBOL, 64_000);
    const after = structuredClone(recorder.saved());
    recorder.mark(T0 + 9, SYMBOL, 70_000);
    resumed.load(after);
    resumed.mark(T0 + 9, SYMBOL, 71_000);
    const late = start();
    late.load(before);
    late.mark(T0 + 8, SYMBOL, 64_000);
    for (const one of [recorder, resumed, late]) {
      expect(one.tally('spread-maker').fees).toBeCloseTo(0.002 * 64_000, 9);
      expect(one.warnings()).toEqual(['fills before the first price of BTC in USDT count at that price']);
    }
    resumed.precede(recorder);
    expect(worths(resumed)).toEqual([['64000', null]]);
  });
});
