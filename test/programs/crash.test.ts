/**
 * The process dies at every commit of a bracket's life, before or after the disk has it; what was on its way to the exchange
 * is lost or arrives. After a restart on the same journal the bracket goes on: nothing is sent twice, nothing is forgotten,
 * and a stop that would have fired meanwhile fires at the first price and says that it is late.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { bracket } from '../../src/index.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import type { JournalRow } from '../../src/model/entries/journal.ts';
import { dec } from '../../src/model/numbers/money.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { stateHash, replayRows } from '../../src/spine/replay.ts';
import { MortalVenue, mortal, type Death } from '../execution/mortal.ts';
import { BTC, HandClock, makeRig, settle, tempDir, trading, type Rig } from '../execution/rig.ts';
import { SYMBOL } from './program-rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const risk = { priceCollar: 0.5 };

/** Entry in two parts, one take-profit, then the price falls through the stop. */
function live(rig: Rig, venue: MortalVenue): void {
  const step = (run: () => void): void => {
    if (!venue.dead) run();
  };
  step(() =>
    rig.executor.submit(
      'maker',
      bracket({
        entry: { symbol: SYMBOL, side: 'buy', type: 'limit', price: 60_000, quantity: '0.02' },
        takeProfit: [{ price: 60_600, fraction: 0.5 }, { price: 61_000 }],
        stopLoss: 59_400,
      }),
    ),
  );
  const fill = (side: 'buy' | 'sell', quantity: string): void => {
    const order = venue.resting().find((each) => each.side === side);
    if (order !== undefined) venue.tellFill(order.orderId, quantity);
  };
  step(() => fill('buy', '0.012'));
  step(() => fill('buy', '0.008'));
  step(() => rig.market.move(60_700));
  step(() => fill('sell', '0.01'));
  step(() => rig.market.move(59_300));
}

/** Takes market orders. */
function matched(venue: MortalVenue): void {
  for (const order of venue.resting())
    if (order.type === 'market')
      venue.tellFill(order.orderId, String(Number(order.quantity) - Number(order.filledQuantity)), '59300');
}

function isUnderWay({ executor }: Rig): boolean {
  return executor.unresolvedCount() > 0 || executor.programs().some(({ state }) => state === 'working');
}

function balancesOf(venue: MortalVenue): void {
  let btc = dec(10);
  let usdt = dec(1_000_000);
  for (const { side, quantity, price } of venue.trades) {
    btc = side === 'buy' ? btc.plus(quantity) : btc.minus(quantity);
    usdt = side === 'buy' ? usdt.minus(dec(quantity).times(price)) : usdt.plus(dec(quantity).times(price));
  }
  venue.balancesNow = [trading('USDT', usdt.toFixed()), trading('BTC', btc.toFixed())];
}

/** A stop that has not fired protects what the exchange has given. */
function isArmed(rows: readonly JournalRow[], { trades }: MortalVenue): boolean {
  const steps = rows.flatMap(({ entry }) => (entry.kind === 'program' ? [entry] : []));
  const isFired = steps.some((entry) => entry.event === 'step' && JSON.stringify(entry.data).includes('stopLoss'));
  const held = trades.reduce(
    (sum, { side, quantity }) => (side === 'buy' ? sum.plus(quantity) : sum.minus(quantity)),
    dec(0),
  );
  return steps.length > 0 && !isFired && held.gt(0);
}

/** `isEarly`: it goes on before anything is compared. */
async function liveAndDie(
  death: Death,
  isEarly = false,
): Promise<{ readonly commits: number; readonly problems: readonly string[] }> {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  const clock = new HandClock();
  const venue = new MortalVenue(clock);
  const store = mortal(openJournal(dir), venue, death);
  live(makeRig({ journal: store, clock, venue, specs: [BTC], risk }), venue);
  const commits = store.commits();
  store.close();
  venue.dead = false;
  matched(venue);
  balancesOf(venue);
  clock.advance(1_000);
  const journal = openJournal(dir);
  const isLate = isArmed([...journal.read()], venue);
  const rig = makeRig({ journal, clock, venue, bootId: 'b2', specs: [BTC], risk });
  rig.market.move(59_300);
  const reconciler = createReconciler(rig.executor);
  if (isEarly) rig.executor.goOn('maker');
  reconciler.start();
  cleanups.push(() => reconciler.stop());
  await clock.advanceAsync(20_000);
  if (!isEarly) rig.executor.goOn('maker');
  // Until all is proved: the exit waits for what is known of the orders before it.
  for (let round = 0; round < 200 && (round < 20 || isUnderWay(rig)); round++) {
    rig.market.move(59_300 - round);
    matched(venue);
    balancesOf(venue);
    await clock.advanceAsync(2_000);
  }
  reconciler.stop();
  await settle();
  const problems: string[] = [];
  const [program] = rig.executor.programs();
  const entered = venue.trades
    .filter(({ side }) => side === 'buy')
    .reduce((sum, { quantity }) => sum.plus(quantity), dec(0));
  const left = venue.trades
    .filter(({ side }) => side === 'sell')
    .reduce((sum, { quantity }) => sum.plus(quantity), dec(0));
  const isSaid = [...journal.read()].some(({ entry }) => entry.kind === 'alarm' && entry.code === 'exit_late');
  if (isSaid !== isLate) problems.push(`late: ${isLate}, said: ${isSaid}`);
  if (entered.gt('0.02')) problems.push(`entered ${entered.toFixed()}`);
  if (left.gt(entered)) problems.push(`left ${left.toFixed()} of ${entered.toFixed()}`);
  if (program === undefined) {
    if (venue.orders.size > 0) problems.push('orders without a program');
  } else {
    if (!left.eq(entered))
      problems.push(`${entered.minus(left).toFixed()} is held, ${program.state}: ${program.reason}`);
    if (program.state === 'working' && entered.gt(0)) problems.push(`works on: ${program.waitsFor}`);
  }
  const ids = [...venue.orders.values()].map(({ clientOrderId }) => clientOrderId);
  if (new Set(ids).size !== ids.length) problems.push('an order is twice at the exchange');
  if (stateHash(replayRows([...journal.read()]).state) !== stateHash(rig.executor.state))
    problems.push('the replay differs');
  journal.close();
  const report = verifyJournal(dir);
  if (!report.ok) problems.push(`the journal: ${report.problem}`);
  return { commits, problems };
}

describe('a bracket over a death of the process', () => {
  it('ends as without one, at whichever commit it died', async () => {
    const whole = await liveAndDie({ commit: 0, written: true });
    expect(whole.problems).toEqual([]);
    expect(whole.commits).toBeGreaterThan(10);
    for (let commit = 1; commit <= whole.commits; commit++)
      for (const written of [true, false])
        for (const isEarly of [true, false]) {
          const { problems } = await liveAndDie({ commit, written }, isEarly);
          expect({ commit, written, isEarly, problems }).toEqual({ commit, written, isEarly, problems: [] });
        }
  }, 60_000);
});
