/**
 * A cancel decided at the close of a bar lost to the next open, while an order decided at the same close took it: where the
 * price gapped through both, an order and its replacement were filled together.
 */
import { afterAll, describe, expect, it } from 'vitest';
import {
  cancel,
  limit,
  marketOrder,
  SYMBOL,
  told,
  World,
  type Row,
  type Step,
} from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;
const T0 = 28_333_334 * MINUTE;

type Prices = readonly [open: number, high: number, low: number, close: number];

function bar(minute: number, [open, high, low, close]: Prices): Row {
  const openTime = T0 + minute * MINUTE;
  const prices = { open: `${open}`, high: `${high}`, low: `${low}`, close: `${close}` };
  return { ts: openTime, symbol: SYMBOL, type: 'candle', intervalMs: MINUTE, openTime, ...prices, volume: '1000' };
}

const at = (ms: number, ...actions: object[]) => ({ at: T0 + ms, actions });
const config = (more = ''): string => `simulation: { slippageBps: 0, fees: { maker: 0, taker: 0 }${more} }`;
const off = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/^\d+/, (ts) => `${(Number(ts) - T0) / MINUTE}`));

const FLAT: Prices = [100, 100.5, 99.5, 100];
/** The bar of minute 2 opens below every order. */
const LOW: Prices = [96, 96.5, 95.5, 96];
const GAP = [bar(0, FLAT), bar(1, FLAT), bar(2, LOW), bar(3, LOW)];
const OLD = at(MINUTE + 1, limit('buy', '99', '1', 'old'));
const CLOSE = 2 * MINUTE + 1;

async function fillsOf(steps: readonly Step[], more?: string, rows: readonly Row[] = GAP) {
  const { fills, orders } = await world.play(rows, steps, { config: config(more) });
  return { fills: off(told(fills)), states: orders.map(({ ref, state }) => `${ref} ${state}`) };
}

const side = (price: string) => [{ price, quantity: '1', postOnly: false }];
const quoted = (bid: string, ask: string) => ({ kind: 'quote', symbol: SYMBOL, bids: side(bid), asks: side(ask) });
const aim = (price: string, quantity = '1') => ({
  kind: 'target',
  symbol: SYMBOL,
  quantity,
  via: { limit: { price } },
});

describe.each(['', ', latency: { entryMs: 20000, responseMs: 5000 }'])(
  'a cancel decided at a close (%s)',
  (latency) => {
    it('wins over the next open', async () => {
      const { fills, states } = await fillsOf([OLD, at(CLOSE, cancel('old'))], latency);
      expect(fills).toEqual([]);
      expect(states).toEqual(['old canceled']);
    });

    it('wins for all orders of one request', async () => {
      const two = at(MINUTE + 1, limit('buy', '99', '1', 'old'), limit('buy', '98', '1', 'older'));
      expect((await fillsOf([two, at(CLOSE, { kind: 'cancelAll' })], latency)).fills).toEqual([]);
    });

    it('lets the order that replaces it have that open', async () => {
      const { fills } = await fillsOf([OLD, at(CLOSE, cancel('old'), limit('buy', '98', '1', 'new'))], latency);
      expect(fills).toEqual(['2 new buy 1@96 taker']);
    });

    it('wins over the open that an order decided before it takes', async () => {
      const { fills } = await fillsOf([OLD, at(CLOSE, marketOrder('buy', '1', 'first'), cancel('old'))], latency);
      expect(fills).toEqual(['2 first buy 1@96 taker']);
    });
  },
);

describe('a cancel', () => {
  it('that takes longer than a bar loses to the next open', async () => {
    const rows = [0, 1, 2, 3].map((n) => bar(n, FLAT)).concat([4, 5, 6].map((n) => bar(n, LOW)));
    const steps = [OLD, at(4 * MINUTE + 1, cancel('old'))];
    expect((await fillsOf(steps, ', latency: { entryMs: 60000 }', rows)).fills).toEqual(['4 old buy 1@96 taker']);
  });

  it('that is decided in the middle of a bar loses to the open of that bar', async () => {
    expect((await fillsOf([OLD, at(CLOSE + 30_000, cancel('old'))])).fills).toEqual(['2 old buy 1@96 taker']);
  });

  it('that is decided after an own fill has told the open loses to it', async () => {
    const steps = [OLD, at(CLOSE, marketOrder('buy', '1', 'first')), at(CLOSE + 500, cancel('old'))];
    expect((await fillsOf(steps)).fills).toEqual(['2 first buy 1@96 taker', '2 old buy 1@96 taker']);
  });
});

describe('orders that are replaced at a close never fill beside their replacement', () => {
  it('of a quote', async () => {
    const steps = [at(MINUTE + 1, quoted('99', '101')), at(CLOSE, quoted('98', '102'))];
    expect((await fillsOf(steps)).fills.map((line) => line.replace(/ \S+ buy/, ' buy'))).toEqual(['2 buy 1@96 taker']);
  });

  it('of a quote that waits for its cancel', async () => {
    // The new ask would meet the old bid.
    const steps = [at(MINUTE + 1, quoted('99', '101')), at(CLOSE, quoted('95.1', '95.4'))];
    const { fills } = await fillsOf(steps, ', latency: { entryMs: 2000, responseMs: 2000 }');
    expect(fills.map((line) => line.replace(/ \S+ sell/, ' sell'))).toEqual(['2 sell 1@96 taker']);
  });

  it('of a target', async () => {
    const steps = [at(MINUTE + 1, aim('99')), at(CLOSE, aim('98'))];
    expect((await fillsOf(steps)).fills.map((line) => line.replace(/ \S+ buy/, ' buy'))).toEqual(['2 buy 1@96 taker']);
  });

  it('of a target that turns', async () => {
    const steps = [at(MINUTE + 1, aim('99')), at(CLOSE, aim('95.4', '-1'))];
    expect((await fillsOf(steps)).fills.map((line) => line.replace(/ \S+ sell/, ' sell'))).toEqual([
      '2 sell 1@96 taker',
    ]);
  });
});
