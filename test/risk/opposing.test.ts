/**
 * Strategies that hold against each other: what reduces one of them is new risk where it does not reduce the account. Two to
 * four strategies do as they please, in one-way and in hedge mode, under partial fills, lost answers and a kill; after each step
 * a naive model reads the exchange's own truth.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/model/trading/action.ts';
import type { PositionSide, Side } from '../../src/model/trading/order.ts';
import { alarms, denials, makeRig, PERP, START, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;
const EPSILON = 1e-9;
/** Of the account and the symbol, base units. */
const POSITION_MAX = 0.03;
const ORDER_MAX = 0.012;
const MID = 60_000.5;
const STREAM_DOWN = { reason: 'stream_down', message: 'the private stream is down' } as const;
const TAGS = ['maker', 'taker', 'third', 'fourth'] as const;

interface Working {
  readonly side: Side;
  readonly positionSide: PositionSide;
  readonly left: number;
}

/** What may still fill, and what is held: by the exchange's books and what has left and may arrive. */
function truthOf(
  rig: Rig,
  before: number,
): { readonly working: readonly Working[]; readonly held: (side: PositionSide) => number } {
  const working: Working[] = [];
  const known = new Set<string>();
  const sent = rig.venue.creates().slice(0, before);
  const ids = new Set(sent.map(({ clientOrderId }) => clientOrderId));
  let sums: Partial<Record<PositionSide, number>> = {};
  for (const order of rig.venue.orders.values()) {
    const { side, positionSide = 'both', status, clientOrderId = '' } = order;
    if (!ids.has(clientOrderId)) continue;
    known.add(clientOrderId);
    const filled = Number(order.filledQuantity);
    sums = { ...sums, [positionSide]: (sums[positionSide] ?? 0) + (side === 'buy' ? filled : -filled) };
    const left = Number(order.quantity) - filled;
    if (status === 'new' || status === 'partially_filled') working.push({ side, positionSide, left });
  }
  for (const { clientOrderId, side, positionSide = 'both', quantity } of sent)
    if (!known.has(clientOrderId)) working.push({ side, positionSide, left: Number(quantity) });
  return { working, held: (side) => sums[side] ?? 0 };
}

function leftOf(working: readonly Working[], side: Side, of: PositionSide): number {
  return working
    .filter((order) => order.side === side && order.positionSide === of)
    .reduce((sum, { left }) => sum + left, 0);
}

class Laws {
  exitsWhileKilled = 0;
  #seen = 0;
  #isKilled = false;

  killed(on: boolean): void {
    this.#isKilled = on;
  }

  /** Before the exchange does anything of its own. */
  look(rig: Rig): void {
    const creates = rig.venue.creates();
    for (; this.#seen < creates.length; this.#seen++) {
      const { side, positionSide = 'both', quantity } = creates[this.#seen]!;
      expect(Number(quantity), 'one order').toBeLessThanOrEqual(ORDER_MAX + EPSILON);
      if (!this.#isKilled) continue;
      const { working, held } = truthOf(rig, this.#seen);
      const sign = side === 'sell' ? 1 : -1;
      const reducible = sign * held(positionSide) - leftOf(working, side, positionSide);
      expect(Number(quantity), 'sent beside the kill').toBeLessThanOrEqual(reducible + EPSILON);
      this.exitsWhileKilled++;
    }
    const { working, held } = truthOf(rig, creates.length);
    for (const of of ['both', 'long', 'short'] as const) {
      const up = held(of) + leftOf(working, 'buy', of);
      const down = held(of) - leftOf(working, 'sell', of);
      expect(Math.max(up, -down), `the account, ${of}`).toBeLessThanOrEqual(POSITION_MAX + EPSILON);
    }
  }
}

type Step =
  | { readonly kind: 'act'; readonly who: number; readonly action: Action }
  | { readonly kind: 'mode'; readonly create: Rig['venue']['createMode'] }
  | { readonly kind: 'fill'; readonly pick: number; readonly lots: number; readonly told: boolean }
  | { readonly kind: 'kill' | 'clear' }
  | { readonly kind: 'queue'; readonly on: boolean }
  | { readonly kind: 'stop'; readonly who: number }
  | { readonly kind: 'wait'; readonly ms: number };

const quantity = fc.integer({ min: 1, max: 25 }).map((lots) => (lots / 1000).toFixed(3));
const side = fc.constantFrom('buy' as const, 'sell' as const);
const who = fc.nat(TAGS.length - 1);

function actionOf(isHedge: boolean): fc.Arbitrary<Action> {
  const positionSide = isHedge ? fc.constantFrom('long' as const, 'short' as const) : fc.constant('both' as const);
  const terms = { side, quantity, positionSide, reduceOnly: fc.boolean() };
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record(terms).map((order) => ({ kind: 'place', symbol, type: 'market', ...order }) as const),
    },
    {
      weight: 3,
      arbitrary: fc.record({ ...terms, away: fc.integer({ min: 1, max: 900 }) }).map(({ away, ...order }): Action => ({
        kind: 'place',
        symbol,
        type: 'limit',
        price: (order.side === 'buy' ? MID - 0.5 - away : MID + 0.5 + away).toFixed(2),
        ...order,
      })),
    },
    {
      weight: 3,
      arbitrary: fc
        .record({ lots: fc.integer({ min: -25, max: 25 }), positionSide })
        .map(({ lots, positionSide: of }): Action => ({
          kind: 'target',
          symbol,
          positionSide: of,
          quantity: ((of === 'long' ? Math.abs(lots) : lots) / 1000).toFixed(3),
        })),
    },
    { weight: 2, arbitrary: fc.constant<Action>({ kind: 'flatten', symbol }) },
    { weight: 1, arbitrary: fc.constant<Action>({ kind: 'cancelAll', symbol }) },
  );
}

function stepOf(isHedge: boolean): fc.Arbitrary<Step> {
  return fc.oneof(
    { weight: 14, arbitrary: fc.record({ kind: fc.constant('act' as const), who, action: actionOf(isHedge) }) },
    {
      weight: 10,
      arbitrary: fc.record({
        kind: fc.constant('fill' as const),
        pick: fc.nat(20),
        lots: fc.integer({ min: 1, max: 25 }),
        told: fc.integer({ min: 0, max: 3 }).map((draw) => draw > 0),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('mode' as const),
        create: fc.constantFrom('accept' as const, 'accept' as const, 'ack-lost' as const, 'never-arrives' as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('kill' as const, 'clear' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('queue' as const), on: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const), who }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 3000 }) }) },
  );
}

function perform(rig: Rig, doing: Step, tags: readonly string[], laws: Laws): void {
  const { venue, executor, clock } = rig;
  const tagOf = (index: number): string => tags[index % tags.length] ?? '';
  switch (doing.kind) {
    case 'act':
      executor.submit(tagOf(doing.who), doing.action);
      return;
    case 'stop':
      executor.stop(tagOf(doing.who), 'flatten');
      return;
    case 'mode':
      venue.createMode = doing.create;
      return;
    case 'queue':
      venue.queueing = doing.on;
      if (!doing.on) venue.release();
      return;
    case 'kill':
      laws.killed(true);
      executor.kill('by hand');
      return;
    case 'clear':
      laws.killed(false);
      executor.human.clearKill('by hand');
      return;
    case 'fill': {
      const resting = venue.resting();
      const order = resting[doing.pick % Math.max(1, resting.length)];
      if (order === undefined) return;
      const left = Number(order.quantity) - Number(order.filledQuantity);
      const fill = venue.fill(order.orderId, Math.min(left, doing.lots / 1000).toFixed(3));
      if (!doing.told) return;
      venue.emit({ kind: 'fill', fill });
      venue.tell(order.orderId);
      return;
    }
    case 'wait':
      clock.advance(doing.ms);
  }
}

function rigOf(limits: object = {}): Rig {
  const risk = { maxOrderQuantity: String(ORDER_MAX), symbols: { [symbol]: { maxPosition: String(POSITION_MAX) } } };
  const others = TAGS.slice(2);
  return makeRig({ specs: [PERP], others, risk: { ...risk, repeatedRejects: 1000, ...limits } });
}

function market(rig: Rig, tag: string, of: Side, amount: string, reduceOnly = false): void {
  rig.executor.submit(tag, { kind: 'place', symbol, side: of, type: 'market', quantity: amount, reduceOnly });
}

function fillAll(rig: Rig): void {
  for (const { orderId, quantity: amount } of rig.venue.resting()) rig.venue.tellFill(orderId, amount, '60000');
}

function creates(rig: Rig): readonly string[] {
  return rig.venue.creates().map(({ side: of, quantity: amount }) => `${of} ${amount}`);
}

/** `maker` +0.05, `taker` −0.04: the account +0.01, which is as much as it may hold from then on. */
function opposed(): Rig {
  const rig = makeRig({ specs: [PERP] });
  market(rig, 'maker', 'buy', '0.05');
  fillAll(rig);
  market(rig, 'taker', 'sell', '0.04');
  fillAll(rig);
  const until = START + 600_000;
  rig.executor.human.overrideLimit({
    limit: `risk.symbols.${symbol}.maxPosition`,
    id: 'o1',
    value: '0.01',
    until,
    reason: 'a test',
  });
  rig.venue.sent.length = 0;
  return rig;
}

describe('strategies against each other', () => {
  it('may not reduce themselves to more than the account may hold', () => {
    const rig = opposed();
    market(rig, 'taker', 'buy', '0.04', true);
    expect(creates(rig)).toEqual([]);
    expect(denials(rig)).toEqual(['max_position']);
    market(rig, 'maker', 'sell', '0.01', true);
    expect(creates(rig)).toEqual(['sell 0.01']);
  });

  it('may not add to the account beside the kill, and may reduce it', () => {
    const rig = opposed();
    rig.executor.kill('by hand');
    market(rig, 'taker', 'buy', '0.04', true);
    expect(creates(rig)).toEqual([]);
    expect(denials(rig)).toEqual(['killed']);
    market(rig, 'maker', 'sell', '0.01', true);
    expect(creates(rig)).toEqual(['sell 0.01']);
  });

  it('send nothing through a shut gate that reduced the account only when it was decided', () => {
    const rig = opposed();
    let isShut = false;
    rig.executor.addGate({ name: 'test', closedBecause: () => (isShut ? STREAM_DOWN : null) });
    const price = '60100.00';
    rig.executor.submit('taker', { kind: 'place', symbol, side: 'sell', type: 'limit', price, quantity: '0.01' });
    rig.executor.submit('taker', { kind: 'cancelAll', symbol });
    const [orderId = ''] = [...rig.venue.orders.keys()].slice(-1);
    rig.venue.queueing = true;
    market(rig, 'maker', 'sell', '0.01', true);
    expect(denials(rig)).toEqual([]);
    // What was cancelled has traded before, which is told late: the account holds nothing any more.
    rig.venue.tellFill(orderId, '0.01');
    isShut = true;
    rig.venue.queueing = false;
    rig.venue.release();
    expect(creates(rig)).toEqual(['sell 0.01']);
    expect(denials(rig)).toEqual(['stream_down']);
    expect(rig.executor.account('maker').position(symbol).quantity).toBe('0.05');
  });

  it('may not add to the account while a gate is shut', () => {
    const rig = makeRig({ specs: [PERP] });
    market(rig, 'maker', 'buy', '0.05');
    fillAll(rig);
    market(rig, 'taker', 'sell', '0.04');
    fillAll(rig);
    rig.venue.sent.length = 0;
    rig.executor.addGate({ name: 'test', closedBecause: () => STREAM_DOWN });
    market(rig, 'taker', 'buy', '0.04', true);
    expect(denials(rig)).toEqual(['stream_down']);
    market(rig, 'maker', 'sell', '0.01', true);
    expect(creates(rig)).toEqual(['sell 0.01']);
  });

  it('end within the limit where one flattens and the other leaves what it holds', () => {
    const rig = opposed();
    rig.executor.stop('taker', 'flatten');
    rig.executor.stop('maker', 'leave');
    for (let second = 0; second < 20; second++) {
      rig.clock.advance(1000);
      fillAll(rig);
    }
    const held = (tag: string): number => Number(rig.executor.account(tag).position(symbol).quantity);
    expect(held('maker') + held('taker')).toBeCloseTo(0.01, 9);
    expect(alarms(rig)).toContain('flatten_stuck');
  });

  it('flatten by the netted sum: as much as the account holds, where the rest would pass its limit', () => {
    const rig = opposed();
    rig.executor.stop('maker', 'flatten');
    fillAll(rig);
    expect(creates(rig)).toEqual(['sell 0.01']);
  });

  it('flatten whole where the limits leave room', () => {
    const rig = makeRig({ specs: [PERP] });
    market(rig, 'maker', 'buy', '0.05');
    fillAll(rig);
    market(rig, 'taker', 'sell', '0.04');
    fillAll(rig);
    rig.executor.submit('maker', { kind: 'flatten' });
    rig.executor.submit('taker', { kind: 'flatten' });
    fillAll(rig);
    const held = (tag: string): string => rig.executor.account(tag).position(symbol).quantity;
    expect([held('maker'), held('taker')]).toEqual(['0', '0']);
  });

  it.each([
    ['one-way', false],
    ['hedge', true],
  ] as const)('keep the limits of the account and the kill in %s mode, whatever they do', (_, isHedge) => {
    let exits = 0;
    let denied = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: TAGS.length }),
        fc.array(stepOf(isHedge), { minLength: 20, maxLength: 70 }),
        (count, steps) => {
          const rig = rigOf();
          const laws = new Laws();
          for (const doing of steps) {
            perform(rig, doing, TAGS.slice(0, count), laws);
            laws.look(rig);
          }
          exits += laws.exitsWhileKilled;
          denied += denials(rig).filter((reason) => reason === 'killed' || reason === 'max_position').length;
        },
      ),
      { numRuns: 150 },
    );
    expect(exits).toBeGreaterThan(0);
    expect(denied).toBeGreaterThan(100);
  });
});
