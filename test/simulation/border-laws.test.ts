/** The laws that are judged from the border alone can fail, and only for what they are about. */
import { describe, expect, it } from 'vitest';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { seededRandom } from '../../src/model/random.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { BudgetLaw } from './world/budget-law.ts';
import { ComparisonLaw } from './world/comparison-law.ts';
import { FaultPlan, faultKinds } from './world/fault-plan.ts';
import { Laws } from './world/laws.ts';
import { OrderLaws } from './world/order-laws.ts';
import { RareStates } from './world/rare-states.ts';
import { SYMBOL } from './world/restless.ts';
import { turnedKnobs } from './world/turned-knobs.ts';
import { VenueSide } from './world/venue-side.ts';

const SECOND_US = 1_000_000;

function told() {
  const laws: string[] = [];
  return { laws, violated: (law: string) => void laws.push(law) };
}

describe('L5', () => {
  it('is broken by a request within a second of a 429, unless a kill is under way', () => {
    const { laws, violated } = told();
    const law = new BudgetLaw(violated, false);
    law.limited(0);
    law.request(SECOND_US / 2, '> DELETE', true);
    law.request(SECOND_US, '> GET', false);
    expect(laws).toEqual([]);
    law.request(SECOND_US / 2, '> GET', false);
    expect(laws).toEqual(['L5']);
  });

  it('is broken by the 43rd connection in five minutes, and forgotten by a start', () => {
    const { laws, violated } = told();
    const law = new BudgetLaw(violated, false);
    for (let count = 0; count < 42; count++) law.connect(count * SECOND_US);
    law.connect(301 * SECOND_US);
    law.boot();
    for (let count = 0; count < 42; count++) law.connect(302 * SECOND_US);
    expect(laws).toEqual([]);
    law.connect(303 * SECOND_US);
    expect(laws).toEqual(['L5']);
  });
});

describe('D1', () => {
  it('knows the book between two operations of one instant, and none that never was', () => {
    const clock = new VirtualClock(Date.UTC(2026, 0, 1) * 1000);
    const venue = new VenueSide(clock, 1, true);
    const laws = new Laws(venue, new RareStates(), 1000);
    venue.makeMarket();
    const between = venue.top;
    venue.makeMarket();
    const { bidTicks, askTicks } = venue.top;
    expect(between).not.toEqual(venue.top);
    expect(laws.bookDoubt(SYMBOL, between, clock.now())).toBeNull();
    expect(laws.bookDoubt(SYMBOL, venue.top, clock.now())).toBeNull();
    expect(laws.bookDoubt(SYMBOL, { bidTicks: bidTicks - 1, askTicks }, clock.now())).toContain('has not had');
    venue.sandbox.stop();
  });
});

describe('C1', () => {
  const compare = (law: ComparisonLaw): void => {
    law.request('> GET http://exchange.invalid/api/v2/exchange/client/order/active ');
    law.request('> GET http://exchange.invalid/api/v2/exchange/client/trade/spot/list/my?limit=10 ');
  };
  const push = (seq: number): string => `ws< {"channel":"BTCUSDT@my-trades","seq":${seq},"data":[]}`;

  it('asks for a comparison after each login and after each gap in a private channel', () => {
    const law = new ComparisonLaw(true);
    expect(law.isDone(1)).toBe(false);
    compare(law);
    law.frame(1, push(1));
    law.frame(2, push(2));
    expect(law.isDone(2)).toBe(true);
    law.frame(3, push(4));
    expect(law.isDone(3)).toBe(false);
    compare(law);
    law.frame(4, 'ws< {"method":"auth","success":true}');
    expect(law.isDone(4)).toBe(false);
  });

  it('asks for one after a private frame that is torn, whatever its number', () => {
    const law = new ComparisonLaw(true);
    compare(law);
    law.frame(1, push(1));
    law.frame(2, push(2).slice(0, -4));
    expect(law.isDone(2)).toBe(false);
    compare(law);
    expect(law.isDone(3)).toBe(true);
  });

  it('lets pass what answers an earlier frame of the same instant', () => {
    const law = new ComparisonLaw(true);
    compare(law);
    law.frame(1, push(1));
    law.frame(5, push(2));
    law.frame(5, push(9));
    expect(law.isDone(5)).toBe(true);
    expect(law.isDone(6)).toBe(false);
  });
});

describe('laws of orders', () => {
  function orders(resting: readonly string[]) {
    const { laws, violated } = told();
    const law = new OrderLaws({ rests: (id) => resting.includes(id), resting: () => resting, violated });
    const row = (entry: object): void => law.row(entry as JournalEntry, 0);
    const intent = { kind: 'intent', command: 'create', intentId: 'i', strategy: 's', reduceOnly: false };
    row({ ...intent, order: { quantity: '1' } });
    row({ kind: 'sending', intentId: 'i' });
    return { laws, law, row };
  }
  const report = (status: string) => ({ kind: 'order', intentId: 'i', report: { orderId: '7', status } });

  it('F6: an order is not over while it rests', () => {
    const { laws, row } = orders(['7']);
    row(report('new'));
    expect(laws).toEqual([]);
    row(report('canceled'));
    expect(laws).toEqual(['F6']);
  });

  it('L4: a cancel of unknown outcome is asked for again once the order was seen to rest; what was seen meanwhile does not count', () => {
    const { laws, law, row } = orders(['7']);
    const see = (...seconds: readonly number[]): void => {
      for (const second of seconds) law.told(second * SECOND_US, ['7']);
    };
    row(report('new'));
    row({ kind: 'intent', command: 'cancel', intentId: 'c', targets: ['i'] });
    see(1, 2, 3);
    row({ kind: 'outcome', intentId: 'c', outcome: { kind: 'unknown', reason: 'no whole answer' } });
    see(34, 40, 45);
    expect(laws).toEqual([]);
    see(60);
    expect(laws).toEqual(['L4']);
  });

  it('K2, K3: a kill cancels what rests, and nothing leaves until it is cleared', () => {
    const { laws, law, row } = orders(['7']);
    row(report('new'));
    row({ kind: 'kill', on: true });
    law.look();
    law.create(true);
    expect(laws).toEqual(['K2', 'K3']);
    row({ kind: 'kill', on: false });
    law.create(true);
    expect(laws).toEqual(['K2', 'K3']);
  });

  it('K2: a process that is dead in the instant of the kill begins nothing', () => {
    const { laws, law, row } = orders(['7']);
    row(report('new'));
    row({ kind: 'kill', on: true });
    law.died();
    law.look();
    expect(laws).toEqual([]);
  });

  it('W1, C1: what was withdrawn stays, and nothing leaves uncompared', () => {
    const { laws, law, row } = orders([]);
    law.create(false);
    row({ kind: 'decision', strategy: 's', action: { kind: 'cancelAll' } });
    law.create(true);
    expect(laws).toEqual(['C1', 'W1']);
  });
});

it('limits of our own are turned down only, never below their floor, and not at all without faults', () => {
  const plan = new FaultPlan(seededRandom(3));
  if (!(plan.rates instanceof Map)) throw new TypeError('the rates of a plan are a Map');
  for (const kind of faultKinds) if (kind.startsWith('knob-')) plan.rates.set(kind, 1);
  const knobs = turnedKnobs(plan, seededRandom(3));
  const pages = Array.from({ length: 200 }, () => knobs('page', 1000));
  expect(Math.min(...pages)).toBe(5);
  expect(Math.max(...pages)).toBeLessThanOrEqual(1000);
  plan.stop();
  expect(knobs('page', 1000)).toBe(1000);
});
