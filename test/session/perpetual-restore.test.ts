/** A paper account with perpetuals comes back from the journal: sides, liquidations, and no balance below zero. */
import { expect, it } from 'vitest';
import { Instruments } from '../../src/model/market/instrument.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { simulationOptions } from '../../src/simulation/options.ts';
import { GRANT_RECORD } from '../../src/session/paper-venue/venue-records.ts';
import { RebuiltVenue } from '../../src/session/paper-venue/rebuilt-venue.ts';
import { symbolFacts } from '../../src/session/paper-venue/symbol-facts.ts';
import { perpetualSpec, spec } from '../simulation/market.ts';

const instruments = new Instruments([spec, { ...perpetualSpec, contractSize: '0.1' }]);
const facts = symbolFacts(instruments, simulationOptions.parse({}).fees);

function fill(tradeId: string, over: Partial<VenueFill>): VenueFill {
  return {
    tradeId,
    orderId: `o-${tradeId}`,
    symbol: 'AAABBBPERP',
    market: 'derivative',
    side: 'buy',
    price: '100',
    quantity: '50',
    fee: '0',
    feeCurrency: 'BBB',
    liquidity: 'taker',
    ts: 1,
    ...over,
  };
}

function restored(...entries: readonly JournalEntry[]) {
  const grant: JournalEntry = { kind: 'record', name: GRANT_RECORD, data: { currency: 'BBB', amount: '100' } };
  return RebuiltVenue.of(
    [grant, ...entries].map((entry, index) => ({ seq: index + 1, ts: 1, entry })),
    facts,
  ).state();
}

function booked(row: VenueFill): JournalEntry {
  return { kind: 'fill', intentId: 'i', fill: row, mid: null, source: 'stream' };
}

it('long and short of one symbol are two positions', () => {
  const state = restored(
    booked(fill('1', { positionSide: 'long' })),
    booked(fill('2', { positionSide: 'short', side: 'sell', quantity: '20' })),
  );
  expect(state?.positions.map(({ positionSide, quantity }) => `${positionSide} ${quantity}`)).toEqual([
    'long 50',
    'short -20',
  ]);
});

it('a liquidation closed the position in all its parts; what the account could not pay, others have', () => {
  const state = restored(
    booked(fill('1', {})),
    ...['maker', 'taker'].map((strategy): JournalEntry => {
      const part = fill('9', { side: 'sell', price: '79', quantity: '25', fee: '1' });
      return { kind: 'liquidation', strategy, fill: part };
    }),
  );
  expect(state?.positions).toEqual([]);
  // 100 − 50 · 0.1 · 21 − 2 is below zero.
  expect(state?.balances).toMatchObject([{ currency: 'BBB', total: '0' }]);
});
