/**
 * Found by hand: one refusal of the exchange ended a bracket, a level of a dca and an oco at once, without an alarm, where
 * docs/programs.md promises five tries. Over a restart the tries of the process before count, and its last order is proved over
 * before the next one leaves.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { bracket, dca, oco, place } from '../../src/index.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import type { Action } from '../../src/model/trading/action.ts';
import { dec, ZERO, type Decimal } from '../../src/model/numbers/money.ts';
import type { Side } from '../../src/model/trading/order.ts';
import type { OnDispatch, VenueCommand } from '../../src/model/venue.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { MortalVenue, mortal, type Death } from '../execution/mortal.ts';
import { alarms, BTC, HandClock, makeRig, tempDir, trading, type Rig } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, submit, SYMBOL } from '../programs/program-rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const symbol = SYMBOL;
const limit = { symbol, side: 'buy', type: 'limit', price: 60_000, quantity: '0.02' } as const;
const market = { symbol, side: 'buy', type: 'market', quantity: '0.02' } as const;
const take = { symbol, side: 'sell', type: 'limit', price: 60_600, quantity: '0.02' } as const;

const entries: Readonly<Record<'bracket' | 'dca', Action>> = {
  bracket: bracket({ entry: limit, takeProfit: 60_600, stopLoss: 59_400 }),
  dca: dca({ symbol, side: 'buy', levels: [{ bps: 0, quantity: '0.02' }], takeProfit: { bps: 100 } }),
};

/** Past the minute for which a strategy with three refusals in a row is left alone. */
function waits({ clock }: Rig): void {
  for (let minute = 0; minute < 6; minute++) clock.advance(61_000);
}

describe.each(['bracket', 'dca'] as const)('programs/%s: an entry that is refused', (kind) => {
  it('is tried again and works', () => {
    const rig = programRig();
    rig.venue.createMode = 'refuse';
    submit(rig, entries[kind]);
    rig.clock.advance(1_000);
    expect(rig.venue.creates()).toHaveLength(2);
    expect(programOf(rig).state).toBe('working');
    rig.venue.createMode = 'accept';
    rig.clock.advance(2_000);
    expect(rig.venue.creates()).toHaveLength(3);
    fills(rig, 'buy', '60000');
    expect(resting(rig)).toEqual(['sell 0.02 @ 60600']);
    expect(alarms(rig)).toEqual([]);
  });

  it('is given up after five tries, with an alarm', () => {
    const rig = programRig();
    rig.venue.createMode = 'refuse';
    submit(rig, entries[kind]);
    waits(rig);
    expect(rig.venue.creates()).toHaveLength(5);
    expect(programOf(rig)).toMatchObject({ state: 'failed', reason: expect.stringContaining('in 5 tries') });
    expect(alarms(rig)).toContain('program_failed');
  });
});

it('programs/dca: ends where the exchange has ended all its entries without a fill', () => {
  const rig = programRig();
  submit(rig, entries.dca);
  const [order] = rig.venue.resting();
  rig.venue.end(order!.orderId, 'canceled');
  rig.venue.tell(order!.orderId);
  expect(programOf(rig)).toMatchObject({ state: 'canceled', reason: 'its entries ended without a fill' });
});

describe('programs/oco: its limit order', () => {
  const legs = [place(take), { kind: 'stop', symbol, side: 'sell', quantity: '0.02', trigger: 59_400 }] as const;

  it('is tried five times; the stop beside it stays armed and fires', () => {
    const rig = programRig();
    submit(rig, place(market));
    fills(rig, 'buy', '60001');
    rig.venue.createMode = 'refuse';
    submit(rig, oco({ symbol, legs }));
    waits(rig);
    expect(rig.venue.creates()).toHaveLength(6);
    expect(programOf(rig).state).toBe('working');
    expect(alarms(rig)).toContain('program_stuck');
    rig.venue.createMode = 'accept';
    rig.market.move(59_300);
    fills(rig, 'sell', '59300');
    expect(programOf(rig)).toMatchObject({ state: 'done', filled: '0.02' });
  });

  it('names what is unprotected where the exchange has ended it', () => {
    const rig = programRig();
    submit(rig, place(market));
    fills(rig, 'buy', '60001');
    submit(rig, oco({ symbol, legs }));
    const [order] = rig.venue.resting();
    rig.venue.end(order!.orderId, 'canceled');
    rig.venue.tell(order!.orderId);
    expect(programOf(rig)).toMatchObject({ state: 'canceled', reason: 'the order of one leg has ended' });
    expect(alarms(rig)).toEqual(['unprotected']);
  });
});

it('programs: an order that was taken and then called rejected is replaced only once the lists show that', async () => {
  const clock = new HandClock();
  const rig = programRig({ clock });
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  cleanups.push(() => reconciler.stop());
  await clock.advanceAsync(2_000);
  submit(rig, entries.bracket);
  const [order] = rig.venue.resting();
  // The exchange says so, and it is false.
  rig.venue.emit({ kind: 'order', order: { ...order!, status: 'rejected' } });
  for (let second = 0; second < 120; second++) {
    await clock.advanceAsync(1_000);
    expect(rig.venue.resting().length).toBeLessThanOrEqual(1);
  }
  expect(rig.venue.creates()).toHaveLength(1);
});

/** Refuses the first orders of each side. */
class RefusingVenue extends MortalVenue {
  most: Readonly<Record<Side, number>> = { buy: 0, sell: 0 };
  override send(command: VenueCommand, onDispatch: OnDispatch): void {
    if (command.kind === 'create') {
      const { side } = command.order;
      this.createMode = this.sentOf(side) < this.most[side] ? 'refuse' : 'accept';
    }
    super.send(command, onDispatch);
  }
  sentOf(side: Side): number {
    return this.creates().filter((order) => order.side === side).length;
  }
}

/** What the exchange fills of what rests: all, at a price that is as good for both. */
function matched(venue: RefusingVenue): void {
  if (venue.dead) return;
  for (const { orderId, quantity, filledQuantity, price } of venue.resting())
    venue.tellFill(orderId, dec(quantity).minus(filledQuantity).toFixed(), price ?? '60000');
  const worth = venue.trades.reduce((sum, { side, quantity, price }) => {
    const amount = dec(quantity).times(price);
    return side === 'buy' ? sum.minus(amount) : sum.plus(amount);
  }, dec(1_000_000));
  const btc = dec(10).plus(traded(venue, 'buy')).minus(traded(venue, 'sell'));
  venue.balancesNow = [trading('USDT', worth.toFixed()), trading('BTC', btc.toFixed())];
}

function traded({ trades }: RefusingVenue, side: Side): Decimal {
  return trades.reduce((sum, trade) => (trade.side === side ? sum.plus(trade.quantity) : sum), ZERO);
}

function isAtWork({ executor }: Rig): boolean {
  return executor.programs().some(({ state }) => state === 'working');
}

interface Life {
  readonly commits: number;
  /** `done buy 0.02 sell 0.02`; nothing where the start of the program was lost. */
  readonly end: string | null;
  readonly sent: Readonly<Record<Side, number>>;
  readonly rung: readonly string[];
}

const timed = bracket({ entry: market, stopLoss: { bps: 400 }, timeLimit: '1s' });

async function over(most: Readonly<Record<Side, number>>, death: Death): Promise<Life> {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  const clock = new HandClock();
  const venue = new RefusingVenue(clock);
  venue.most = most;
  const setting = { clock, venue, specs: [BTC], risk: { priceCollar: 0.5 } };
  const store = mortal(openJournal(dir), venue, death);
  const first = makeRig({ ...setting, journal: store });
  submit(first, timed);
  for (let look = 0; look < 200 && !venue.dead && isAtWork(first); look++) {
    matched(venue);
    clock.advance(1_000);
  }
  const commits = store.commits();
  store.close();
  venue.dead = false;
  const journal = openJournal(dir);
  const rig = makeRig({ ...setting, journal, bootId: 'b2' });
  const reconciler = createReconciler(rig.executor);
  reconciler.start();
  await clock.advanceAsync(10_000);
  rig.executor.goOn('maker');
  for (let look = 0; look < 100 && isAtWork(rig); look++) {
    matched(venue);
    await clock.advanceAsync(4_000);
  }
  reconciler.stop();
  const [program] = rig.executor.programs();
  const rung = [...journal.read()].flatMap(({ entry }) => (entry.kind === 'alarm' ? [entry.code] : []));
  journal.close();
  const end = `${program?.state} buy ${traded(venue, 'buy').toFixed()} sell ${traded(venue, 'sell').toFixed()}`;
  const sent = { buy: venue.sentOf('buy'), sell: venue.sentOf('sell') };
  return { commits, end: program === undefined ? null : end, sent, rung };
}

async function overAll(most: Readonly<Record<Side, number>>, check: (life: Life, at: string) => void): Promise<void> {
  const whole = await over(most, { commit: 0, written: true });
  check(whole, 'without a death');
  for (let commit = 1; commit <= whole.commits; commit++)
    for (const written of [true, false]) {
      const life = await over(most, { commit, written });
      if (life.end !== null) check(life, `commit ${commit}, written ${written}`);
    }
}

describe('programs/bracket: refused orders over a death of the process, at whichever commit', () => {
  it('entry and exit are tried until they are taken', async () => {
    await overAll({ buy: 3, sell: 2 }, ({ end }, at) => expect(end, at).toBe('done buy 0.02 sell 0.02'));
  }, 60_000);

  it('an exit is tried five times in all, and then the alarm rings', async () => {
    await overAll({ buy: 0, sell: 1_000 }, ({ end, sent, rung }, at) => {
      expect(end, at).toBe('failed buy 0.02 sell 0');
      // The process may have died before the order left, or before it had the answer.
      expect([4, 5, 6], at).toContain(sent.sell);
      expect(rung, at).toContain('program_failed');
    });
  }, 60_000);

  it('an entry is tried five times in all, and then the alarm rings', async () => {
    await overAll({ buy: 1_000, sell: 0 }, ({ end, sent, rung }, at) => {
      expect(end, at).toBe('failed buy 0 sell 0');
      expect([4, 5, 6], at).toContain(sent.buy);
      expect(rung, at).toContain('program_failed');
    });
  }, 60_000);
});
