/**
 * Found by hand: a time limit that passed while no process ran was executed at the restart, and nobody said that it was late,
 * as a stop does. The process dies at every commit of a bracket's life, and the next one begins after its time.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { bracket, pair, type Action } from '../../src/index.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { dec } from '../../src/model/numbers/money.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { MortalVenue, mortal, type Death } from '../execution/mortal.ts';
import { BTC, HandClock, makeRig, tempDir, trading, type Rig, type TestVenue } from '../execution/rig.ts';
import { programOf, SYMBOL } from '../programs/program-rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const LIMIT_MS = 30_000;
const risk = { priceCollar: 0.5 };
const specs = [BTC, { ...BTC, symbol: 'ETHUSDT', base: 'ETH' }];
const timed = bracket({
  entry: { symbol: SYMBOL, side: 'buy', type: 'limit', price: 60_000, quantity: '0.02' },
  takeProfit: 61_000,
  timeLimit: '30s',
});

/** Fills what rests of a side, or of a symbol. */
function matched(venue: TestVenue, isMeant: (order: { side: string; type: string; symbol: string }) => boolean): void {
  for (const order of venue.resting())
    if (isMeant(order))
      venue.tellFill(order.orderId, dec(order.quantity).minus(order.filledQuantity).toFixed(), '60000');
  const of = (symbol: string): string =>
    venue.trades
      .filter((trade) => trade.symbol === symbol)
      .reduce((sum, { side, quantity }) => (side === 'buy' ? sum.plus(quantity) : sum.minus(quantity)), dec(10))
      .toFixed();
  const worth = venue.trades.reduce((sum, { side, quantity, price }) => {
    const amount = dec(quantity).times(price);
    return side === 'buy' ? sum.minus(amount) : sum.plus(amount);
  }, dec(1_000_000));
  venue.balancesNow = [trading('USDT', worth.toFixed()), trading('BTC', of(SYMBOL)), trading('ETH', of('ETHUSDT'))];
}

function lateOf({ journal }: Rig): readonly string[] {
  return [...journal.read()].flatMap(({ entry }) =>
    entry.kind === 'alarm' && entry.code === 'exit_late' ? [entry.message] : [],
  );
}

interface Life {
  readonly commits: number;
  readonly isExpected: boolean;
  readonly late: readonly string[];
  readonly end: string;
}

async function over(death: Death, isEarly: boolean): Promise<Life> {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  const clock = new HandClock();
  const venue = new MortalVenue(clock);
  const store = mortal(openJournal(dir), venue, death);
  const first = makeRig({ journal: store, clock, venue, specs, risk });
  first.executor.submit('maker', timed);
  if (!venue.dead) matched(venue, ({ side }) => side === 'buy');
  const commits = store.commits();
  store.close();
  venue.dead = false;
  // Its time runs from the fill, which the journal may not know yet.
  const isExpected = venue.trades.length > 0;
  clock.advance(LIMIT_MS + 15_000);
  const journal = openJournal(dir);
  const rig = makeRig({ journal, clock, venue, bootId: 'b2', specs, risk });
  const reconciler = createReconciler(rig.executor);
  if (isEarly) rig.executor.goOn('maker');
  reconciler.start();
  await clock.advanceAsync(10_000);
  if (!isEarly) rig.executor.goOn('maker');
  const isAtWork = (): boolean => rig.executor.programs().some(({ state }) => state === 'working');
  for (let look = 0; look < 60 && isAtWork(); look++) {
    matched(venue, ({ side, type }) => side === 'buy' || type === 'market');
    await clock.advanceAsync(4_000);
  }
  reconciler.stop();
  const [program] = rig.executor.programs();
  const late = lateOf(rig);
  journal.close();
  return { commits, isExpected, late, end: program === undefined ? 'none' : `${program.state} ${program.reason}` };
}

describe('programs/time-limit: passed while no process ran', () => {
  it('a bracket leaves and says by how much it is late, at whichever commit it died', async () => {
    const whole = await over({ commit: 0, written: true }, true);
    expect(whole).toMatchObject({ isExpected: true, end: 'done timeLimit' });
    expect(whole.late).toEqual([
      'maker-bracket-1 leaves 15.0 s after its time limit, which passed while no session ran',
    ]);
    let count = 0;
    for (let commit = 1; commit <= whole.commits; commit++)
      for (const written of [true, false])
        for (const isEarly of [true, false]) {
          const { isExpected, late, end } = await over({ commit, written }, isEarly);
          const at = `commit ${commit}, written ${written}, early ${isEarly}`;
          expect(late.length, at).toBe(isExpected ? 1 : 0);
          expect(end, at).toMatch(/^(none|done timeLimit)$/);
          if (isExpected) count++;
        }
    expect(count).toBeGreaterThan(0);
  }, 60_000);

  it('says nothing of one that passes once the process runs again', async () => {
    const { dir, remove } = tempDir();
    cleanups.push(remove);
    const clock = new HandClock();
    const store = openJournal(dir);
    const first = makeRig({ journal: store, clock, specs, risk });
    first.executor.submit('maker', timed);
    matched(first.venue, ({ side }) => side === 'buy');
    store.close();
    clock.advance(LIMIT_MS - 5_000);
    const journal = openJournal(dir);
    cleanups.push(() => journal.close());
    const rig = makeRig({ journal, clock, venue: first.venue, bootId: 'b2', specs, risk });
    rig.market.open = false;
    rig.executor.goOn('maker');
    clock.advance(6_000);
    expect(programOf(rig).waitsFor).toBe('the exit by timeLimit');
    expect(lateOf(rig)).toEqual([]);
  });

  it('a pair says by how much its way back is late', async () => {
    const { dir, remove } = tempDir();
    cleanups.push(remove);
    const clock = new HandClock();
    const store = openJournal(dir);
    const first = makeRig({ journal: store, clock, specs, risk });
    const legs = [
      { symbol: SYMBOL, ratio: 1 },
      { symbol: 'ETHUSDT', ratio: -1 },
    ];
    const both: Action = pair({ legs, quantity: '0.02', maxUnhedged: '0.001', within: '30s' });
    matched(first.venue, () => false);
    first.venue.emit({ kind: 'balances', balances: first.venue.balancesNow, whole: true });
    first.executor.submit('maker', both);
    matched(first.venue, ({ symbol }) => symbol === SYMBOL);
    store.close();
    clock.advance(LIMIT_MS + 15_000);
    const journal = openJournal(dir);
    cleanups.push(() => journal.close());
    const rig = makeRig({ journal, clock, venue: first.venue, bootId: 'b2', specs, risk });
    rig.executor.goOn('maker');
    expect(lateOf(rig)).toEqual(['maker-pair-1 leaves 15.0 s after its time limit, which passed while no session ran']);
  });
});
