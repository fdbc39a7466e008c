/**
 * No interleaving passes a limit (INV-R1, INV-R2): random placements, quotes, cancels, fills, lost answers and lost
 * cancels, and after each step a naive model reads the venue's own truth: everything that rests there or may still
 * arrive, filled in the worse direction.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/model/trading/action.ts';
import type { OrderRequest } from '../../src/model/trading/order.ts';
import { denials, makeRig, PERP, BTC, type Rig } from '../execution/rig.ts';

/** Limits of the run; what is left out is not set. */
interface LimitSet {
  readonly name: string;
  /** Of the strategy `maker`, base units. */
  readonly position?: number;
  /** Of the account and each symbol. */
  readonly symbolPosition?: number;
  readonly order?: number;
  readonly openNotional?: number;
  readonly gross?: number;
  readonly net?: number;
  readonly openOrders?: number;
  readonly perSecond?: number;
  readonly perMinute?: number;
}

const sets: readonly LimitSet[] = [
  { name: 'positions', position: 0.05, symbolPosition: 0.07, order: 0.03 },
  { name: 'gross value', gross: 4_000 },
  { name: 'net value', net: 3_000 },
  { name: 'open notional', openNotional: 3_500 },
  { name: 'open orders', openOrders: 4 },
  { name: 'messages', perSecond: 5, perMinute: 12 },
  {
    name: 'all of them',
    position: 0.05,
    symbolPosition: 0.06,
    order: 0.04,
    openNotional: 4_000,
    gross: 5_000,
    net: 4_000,
    openOrders: 5,
    perSecond: 8,
    perMinute: 25,
  },
];

const MID = 60_000.5;

const symbols = [BTC.symbol, PERP.symbol] as const;

type Step =
  | { readonly kind: 'act'; readonly tag: 'maker' | 'taker'; readonly action: Action }
  | { readonly kind: 'mode'; readonly create: Rig['venue']['createMode']; readonly cancel: Rig['venue']['cancelMode'] }
  | { readonly kind: 'fill'; readonly pick: number; readonly part: number; readonly told: boolean }
  | { readonly kind: 'arrive'; readonly pick: number }
  | { readonly kind: 'wait'; readonly ms: number };

const quantity = fc.integer({ min: 5, max: 45 }).map((lots) => (lots / 1000).toFixed(3));
const symbol = fc.constantFrom(...symbols);
const side = fc.constantFrom('buy' as const, 'sell' as const);
const tag = fc.constantFrom('maker' as const, 'taker' as const);

const action: fc.Arbitrary<Action> = fc.oneof(
  fc
    .record({ symbol, side, quantity, away: fc.integer({ min: 1, max: 900 }), reduceOnly: fc.boolean() })
    .map(({ away, reduceOnly, ...order }) => ({
      kind: 'place' as const,
      ...order,
      type: 'limit' as const,
      price: (order.side === 'buy' ? MID - 0.5 - away : MID + 0.5 + away).toFixed(2),
      ...(reduceOnly ? { reduceOnly } : {}),
    })),
  fc.record({ symbol, side, quantity }).map((order) => ({ kind: 'place' as const, ...order, type: 'market' as const })),
  fc.record({ symbol, bid: quantity, ask: quantity }).map((quote) => ({
    kind: 'quote' as const,
    symbol: quote.symbol,
    bids: [{ price: '59950', quantity: quote.bid }],
    asks: [{ price: '60050', quantity: quote.ask }],
  })),
  symbol.map((of) => ({ kind: 'cancelAll' as const, symbol: of })),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('act' as const), tag, action }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('mode' as const),
      create: fc.constantFrom(
        'accept' as const,
        'ack-lost' as const,
        'never-arrives' as const,
        'hold' as const,
        'refuse' as const,
      ),
      cancel: fc.constantFrom('accept' as const, 'ack-lost' as const, 'never-arrives' as const, 'no-effect' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('fill' as const),
      pick: fc.nat(50),
      part: fc.integer({ min: 1, max: 4 }),
      told: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('arrive' as const), pick: fc.nat(50) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 4_000 }) }) },
);

interface Truth {
  /** Of one order: what it could still fill, base units. */
  readonly open: readonly {
    readonly request: OrderRequest;
    readonly left: number;
    readonly tag: string;
    readonly reduces: boolean;
  }[];
  /** By symbol and strategy: what has been filled. */
  readonly held: readonly { readonly symbol: string; readonly tag: string; readonly quantity: number }[];
}

/** Strategy of an order, and whether it was an exit, by its intent row. */
function intentOf(rig: Rig, clientOrderId: string): { readonly tag: string; readonly reduces: boolean } {
  for (const { entry } of rig.journal.read())
    if (entry.kind === 'intent' && entry.command === 'create' && entry.order.clientOrderId === clientOrderId)
      return { tag: entry.strategy, reduces: entry.reduceOnly && entry.newRisk !== true };
  throw new Error(`no intent for ${clientOrderId}`);
}

/** What was sent and could still arrive or fill, and what has filled. Orders that never arrive may arrive for ever. */
function truthOf(rig: Rig, doubtful: ReadonlySet<string>): Truth {
  const open: Truth['open'][number][] = [];
  const held: Truth['held'][number][] = [];
  const arrived = new Set<string>();
  for (const order of rig.venue.orders.values()) {
    const { tag: whose, reduces } = intentOf(rig, order.clientOrderId ?? '');
    arrived.add(order.clientOrderId ?? '');
    const filled = Number(order.filledQuantity);
    const left = Number(order.quantity) - filled;
    const works = order.status === 'new' || order.status === 'partially_filled';
    if (works)
      open.push({ request: { ...order, clientOrderId: order.clientOrderId ?? '' }, left, tag: whose, reduces });
    if (filled > 0) held.push({ symbol: order.symbol, tag: whose, quantity: order.side === 'buy' ? filled : -filled });
  }
  for (const request of rig.venue.creates()) {
    if (arrived.has(request.clientOrderId) || !doubtful.has(request.clientOrderId)) continue;
    open.push({ request, left: Number(request.quantity), ...intentOf(rig, request.clientOrderId) });
  }
  return { open, held };
}

const EPSILON = 1e-6;

/** Worst position of one symbol in both directions; `of` narrows to a strategy. */
function worst({ open, held }: Truth, name: string, of?: string): { readonly up: number; readonly down: number } {
  let lots = 0;
  for (const { symbol: at, tag: whose, quantity: amount } of held)
    if (at === name && (of === undefined || whose === of)) lots += amount;
  let up = lots;
  let down = lots;
  for (const { request, left, tag: whose } of open) {
    if (request.symbol !== name || (of !== undefined && whose !== of)) continue;
    if (request.side === 'buy') up += left;
    else down -= left;
  }
  return { up, down };
}

/**
 * An exit passes every limit but that of an order (docs/risk.md), and one that closes a leg of a hedge lays the other side bare:
 * net value then rises by what was reduced. What leaves a sum where it is known to
 * be passes as well, and while the fill of a reduction is not told it is known where it was before. So the sums stay within
 * their limits and what was reduced in all.
 */
class SumLaw {
  #reduced = 0;
  #sent = 0;

  check(rig: Rig, truth: Truth, limits: Pick<LimitSet, 'net' | 'gross'>): void {
    const all = symbols.map((name) => worst(truth, name));
    const ups = all.reduce((sum, { up }) => sum + up * MID, 0);
    const downs = all.reduce((sum, { down }) => sum + down * MID, 0);
    const net = Math.max(ups, -downs);
    const gross = all.reduce((sum, { up, down }) => sum + Math.max(Math.abs(up), Math.abs(down)) * MID, 0);
    const creates = rig.venue.creates();
    for (const { clientOrderId, quantity: amount } of creates.slice(this.#sent))
      if (intentOf(rig, clientOrderId).reduces) this.#reduced += Number(amount) * MID;
    this.#sent = creates.length;
    const most = (limit: number | undefined): number => (limit ?? Number.POSITIVE_INFINITY) + this.#reduced + EPSILON;
    expect(net, 'net').toBeLessThanOrEqual(most(limits.net));
    expect(gross, 'gross').toBeLessThanOrEqual(most(limits.gross));
  }
}

function expectLimits(truth: Truth, set: LimitSet): void {
  const most = (value: number, limit: number | undefined, what: string): void => {
    if (limit !== undefined) expect(value, what).toBeLessThanOrEqual(limit + EPSILON);
  };
  for (const name of symbols) {
    const maker = worst(truth, name, 'maker');
    most(Math.max(maker.up, -maker.down), set.position, `maker ${name}`);
    const account = worst(truth, name);
    most(Math.max(account.up, -account.down), set.symbolPosition, `account ${name}`);
  }
  for (const { request } of truth.open) most(Number(request.quantity), set.order, 'one order');
  // An exit may always be sent: getting out must not depend on a count.
  const risky = truth.open.filter(({ reduces }) => !reduces);
  most(risky.length, set.openOrders, 'open orders');
  let notional = 0;
  for (const { request, left } of risky) notional += left * Number(request.price ?? MID);
  most(notional, set.openNotional, 'open notional');
}

/** Creates per window, from the rows that allowed them. */
function expectRates(rig: Rig, { perSecond = Infinity, perMinute = Infinity }: LimitSet): void {
  const creates = new Set<string>();
  const times: number[] = [];
  for (const { entry, ts } of rig.journal.read()) {
    if (entry.kind === 'intent' && entry.command === 'create' && (!entry.reduceOnly || entry.newRisk === true))
      creates.add(entry.intentId);
    if (entry.kind === 'sending' && creates.has(entry.intentId)) times.push(ts);
  }
  for (const [index, at] of times.entries()) {
    const within = (ms: number): number => times.slice(index).filter((time) => time - at < ms).length;
    expect(within(1_000)).toBeLessThanOrEqual(perSecond);
    expect(within(60_000)).toBeLessThanOrEqual(perMinute);
  }
}

function perform(rig: Rig, doing: Step, doubtful: Set<string>): void {
  const { venue, executor, clock } = rig;
  switch (doing.kind) {
    case 'act': {
      const before = venue.creates().length;
      const mode = venue.createMode;
      executor.submit(doing.tag, doing.action);
      if (mode === 'never-arrives')
        for (const order of venue.creates().slice(before)) doubtful.add(order.clientOrderId);
      return;
    }
    case 'mode':
      venue.createMode = doing.create;
      venue.cancelMode = doing.cancel;
      return;
    case 'fill': {
      const resting = venue.resting();
      const order = resting[doing.pick % Math.max(1, resting.length)];
      if (order === undefined) return;
      const left = Number(order.quantity) - Number(order.filledQuantity);
      const part = Math.max(0.001, Math.floor((left / doing.part) * 1000) / 1000);
      const fill = venue.fill(order.orderId, part.toFixed(3));
      if (doing.told) venue.emit({ kind: 'fill', fill });
      if (doing.told) venue.tell(order.orderId);
      return;
    }
    case 'arrive': {
      const arrived = new Set([...venue.orders.values()].map(({ clientOrderId }) => clientOrderId));
      const late = venue.creates().filter(({ clientOrderId: id }) => doubtful.has(id) && !arrived.has(id));
      const request = late[doing.pick % Math.max(1, late.length)];
      if (request !== undefined) venue.arrive(request);
      return;
    }
    case 'wait':
      clock.advance(doing.ms);
  }
}

function rigWith(set: LimitSet): Rig {
  const { symbolPosition, order, openNotional, gross, net, openOrders, perSecond, perMinute } = set;
  const text = (name: string, value: number | undefined) => (value === undefined ? {} : { [name]: String(value) });
  const count = (name: string, value: number | undefined) => (value === undefined ? {} : { [name]: value });
  return makeRig({
    risk: {
      symbols: Object.fromEntries(symbols.map((name) => [name, text('maxPosition', symbolPosition)])),
      ...text('maxOrderQuantity', order),
      ...text('maxOpenNotional', openNotional),
      ...text('maxGrossValue', gross),
      ...text('maxNetValue', net),
      ...count('maxOpenOrders', openOrders),
      ...count('messagesPerSecond', perSecond),
      ...count('messagesPerMinute', perMinute),
      repeatedRejects: 1000,
    },
    limits: text('maxPosition', set.position),
  });
}

describe('limits', () => {
  it.each(sets)('on $name hold on the worst case of what the venue may do, in whatever order it comes', (set) => {
    let placed = 0;
    let denied = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 20, maxLength: 60 }), (steps) => {
        const rig = rigWith(set);
        const doubtful = new Set<string>();
        const sums = new SumLaw();
        for (const doing of steps) {
          perform(rig, doing, doubtful);
          const truth = truthOf(rig, doubtful);
          expectLimits(truth, set);
          sums.check(rig, truth, set);
        }
        expectRates(rig, set);
        placed += rig.venue.creates().length;
        denied += rig.executor.counters().denied;
      }),
      { numRuns: 100 },
    );
    // A limit that is never reached, or always, would prove nothing.
    expect(placed).toBeGreaterThan(200);
    expect(denied).toBeGreaterThan(100);
  });

  it('on net value let a leg of a hedge be closed, and then nothing that adds to the other', () => {
    const rig = rigWith({ name: 'net value', net: 3_000 });
    const send = (order: { symbol: string; side: 'buy' | 'sell'; quantity: string; reduceOnly?: true }): void =>
      rig.executor.submit('maker', { kind: 'place', type: 'market', ...order });
    send({ symbol: PERP.symbol, side: 'sell', quantity: '0.018' });
    rig.venue.tellFill('v1', '0.018');
    send({ symbol: BTC.symbol, side: 'buy', quantity: '0.06' });
    expect(rig.venue.creates()).toHaveLength(2);
    send({ symbol: PERP.symbol, side: 'buy', quantity: '0.018', reduceOnly: true });
    expect(rig.venue.creates()).toHaveLength(3);
    send({ symbol: BTC.symbol, side: 'buy', quantity: '0.001' });
    expect(rig.venue.creates()).toHaveLength(3);
    expect(denials(rig)).toEqual(['max_net']);
  });
});
