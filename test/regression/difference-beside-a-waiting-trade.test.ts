/**
 * Found by the fault simulator (seed 161, law L1): a trade by hand in a perpetual waited for the history that could not be read;
 * the difference that it made was of the size of an earlier one, so it counted as seen for long and was taken over as
 * something that had happened while nothing ran. When the trade was booked, it counted twice and the symbol closed for ever.
 * Then (seeds 34758, 36618): the same where others trade the same amount again and again, and several are booked between two readings.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { explainedSince, judgeResidual, type SeenDifference } from '../../src/reconciler/account/residual.ts';
import { dec } from '../../src/model/numbers/money.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { Reading } from '../../src/model/result.ts';
import type { HistoryRequest } from '../../src/model/venue.ts';
import { byHand, held } from '../execution/perpetual-rig.ts';
import { alarms, BTC, makeRig, PERP, settle, trading, type Rig } from '../execution/rig.ts';

const { symbol } = PERP;
const FREE = { fee: '0', feeCurrency: 'USDT', liquidity: 'taker' } as const;

function adjusted(rig: Rig): string[] {
  return [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.cause !== 'opening' ? [`${entry.cause} ${entry.quantity}`] : [],
  );
}

it('is not taken over, however long the trade waits for the history', async () => {
  const first = makeRig({ specs: [PERP] });
  const reconciler = createReconciler(first.executor);
  reconciler.start();
  await first.clock.advanceAsync(61_000, 1000);
  reconciler.stop();

  const rig = makeRig({ specs: [PERP], journal: first.journal, clock: first.clock, venue: first.venue, bootId: 'b2' });
  rig.venue.readable.orderHistory = 'failed';
  createReconciler(rig.executor).start();
  byHand(rig, 'h1', 'sell', '0.3');
  rig.venue.positionsNow = [held('-0.3')];
  await rig.clock.advanceAsync(120_000, 1000);
  expect(adjusted(rig)).toEqual([]);
  rig.venue.readable.orderHistory = 'complete';
  await rig.clock.advanceAsync(400_000, 1000);
  expect(adjusted(rig)).toEqual(['trade of others -0.3']);
  // The list that cannot be read for two minutes is named.
  expect(alarms(rig)).toEqual(['comparison_failing']);
  expect(rig.executor.account('maker').position(symbol).quantity).toBe('0');
  await settle();
});

const kindOf = (seen: Map<string, SeenDifference>, told: string, explained: string, asOf: number): string => {
  const terms = { tolerance: dec('0'), lagMs: 30_000 };
  return judgeResidual(seen, 'BTC', dec(told), dec(explained), { asOf, intents: 0 }, terms).kind;
};

it('counts as another one when what was seen before is booked', () => {
  const seen = new Map<string, SeenDifference>();
  expect(kindOf(seen, '-0.002', '0', 0)).toBe('watch');
  // The first trade was booked; another one, of the same size, is not yet.
  expect(kindOf(seen, '-0.004', '-0.002', 40_000)).toBe('watch');
  expect(kindOf(seen, '-0.004', '-0.002', 60_000)).toBe('watch');
  expect(kindOf(seen, '-0.004', '-0.002', 70_000)).toBe('residual');
});

it('is still the same one while own fills move what is explained by other amounts', () => {
  const seen = new Map<string, SeenDifference>();
  expect(kindOf(seen, '0.998', '1', 0)).toBe('watch');
  expect(kindOf(seen, '1.498', '1.5', 10_000)).toBe('watch');
  expect(kindOf(seen, '0.498', '0.5', 30_000)).toBe('residual');
});

it('counts as another one when the trade that made it is booked among others', () => {
  const seen = new Map<string, SeenDifference>();
  expect(kindOf(seen, '1.002', '1', 10_000)).toBe('watch');
  for (const ts of [9_000, 15_000, 22_000]) explainedSince(seen, 'BTC', ts);
  expect(kindOf(seen, '1.008', '1.006', 40_000)).toBe('watch');
  // What is booked now was made after it was seen: it is the same difference still.
  explainedSince(seen, 'BTC', 41_000);
  expect(kindOf(seen, '1.011', '1.009', 70_000)).toBe('residual');
});

it.each([
  ['', 0],
  [', dated ahead by a clock of the exchange', 120_000],
])('is not taken over while somebody trades the same amount again and again%s', async (_, aheadMs) => {
  const first = makeRig({ specs: [BTC] });
  const before = createReconciler(first.executor);
  before.start();
  await first.clock.advanceAsync(1000, 1000);
  const { symbol: spot } = BTC;
  first.executor.submit('maker', {
    kind: 'place',
    symbol: spot,
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '1',
  });
  await first.clock.advanceAsync(61_000, 1000);
  before.stop();

  const { journal, clock, venue } = first;
  const rig = makeRig({ specs: [BTC], journal, clock, venue, bootId: 'b2' });
  // The list of trades lags behind the balances: each reading lacks one, and books the two since the last.
  const ownTrades = async ({ from }: HistoryRequest): Promise<Reading<VenueFill>> => {
    const items = venue.trades.filter(({ ts }) => ts >= from && ts - aheadMs <= clock.now() - 4_000);
    return { kind: 'complete', asOf: clock.now(), items };
  };
  Object.assign(venue, { query: { ...venue.query, ownTrades } });
  createReconciler(rig.executor).start();
  await clock.advanceAsync(9_000, 1000);
  const terms = { symbol: spot, market: 'spot', side: 'buy', price: '1', quantity: '0.002' } as const;
  for (let n = 1; n <= 40; n++) {
    venue.trades.push({ tradeId: `h${n}`, orderId: `o${n}`, ...terms, ...FREE, ts: clock.now() + aheadMs });
    venue.balancesNow = [
      trading('USDT', dec('1000000').minus(dec('0.002').times(n)).toFixed()),
      trading('BTC', dec('10').plus(dec('0.002').times(n)).toFixed()),
    ];
    await clock.advanceAsync(5_000, 1000);
  }
  await clock.advanceAsync(61_000, 1000);
  expect(alarms(rig)).toEqual([]);
  expect(adjusted(rig).filter((one) => !one.startsWith('trade of others'))).toEqual([]);
});
