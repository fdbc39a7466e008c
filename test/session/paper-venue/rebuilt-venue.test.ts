/**
 * The exchange of a paper session from its journal: what was saved beside a snapshot and the rows after it make the same as
 * all rows, and a journal of any length makes a state of a bounded size. It once held every order and fill that ever was, and a
 * start read every row: ten seconds for each million.
 */
import { deserialize, serialize } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalEntry, JournalRow } from '../../../src/model/entries/journal.ts';
import { dec, ZERO } from '../../../src/model/numbers/money.ts';
import { RebuiltVenue, type SavedVenue } from '../../../src/session/paper-venue/rebuilt-venue.ts';
import { symbolFacts } from '../../../src/session/paper-venue/symbol-facts.ts';
import { FUNDING_RECORD, GRANT_RECORD } from '../../../src/session/paper-venue/venue-records.ts';
import { simulationOptions } from '../../../src/simulation/options.ts';
import { instruments } from '../../simulation/market.ts';

const facts = symbolFacts(instruments, simulationOptions.parse({}).fees);
const SPOT = 'AAABBB';
const PERPETUAL = instruments.all().find(({ market }) => market === 'derivative')!;

/** Of an order: 0 stays open, 1 is cancelled, 2 fills in two parts, 3 fills and only its report says so. */
interface Life {
  readonly end: 0 | 1 | 2 | 3;
  readonly isPerpetual: boolean;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  readonly pays: boolean;
}

const life = fc.record<Life>({
  end: fc.constantFrom(0, 1, 2, 2, 2, 3),
  isPerpetual: fc.boolean(),
  side: fc.constantFrom('buy', 'sell'),
  price: fc.integer({ min: 90, max: 110 }),
  pays: fc.boolean(),
});

function rowsOf(lives: readonly Life[]): readonly JournalRow[] {
  const entries: object[] = ['AAA', 'BBB'].map((currency) => {
    return { kind: 'record', name: GRANT_RECORD, data: { currency, amount: '100000' } };
  });
  for (const [number, { end, isPerpetual, side, price, pays }] of lives.entries()) {
    const ts = number * 1000;
    const orderId = `sim-${number}`;
    const symbol = isPerpetual ? PERPETUAL.symbol : SPOT;
    const of = { orderId, symbol, market: isPerpetual ? 'derivative' : 'spot', side, price: String(price) };
    const order = {
      ...of,
      type: 'limit',
      timeInForce: 'gtc',
      quantity: '10',
      createdAt: ts,
      clientOrderId: `c${number}`,
    };
    const report = (status: string, filledQuantity: string): object => {
      const averagePrice = filledQuantity === '0' ? null : String(price);
      return { ...order, status, filledQuantity, averagePrice, updatedAt: ts + 1 };
    };
    const intentId = `i${number}`;
    const told = (status: string, filled: string): object => {
      return { kind: 'order', intentId, report: report(status, filled), source: 'stream' };
    };
    const fill = (part: number, quantity: string): object => {
      const more = {
        tradeId: `sim-t${number * 2 + part}`,
        quantity,
        fee: '0.1',
        feeCurrency: 'BBB',
        liquidity: 'maker',
      };
      return { kind: 'fill', intentId, fill: { ...of, ...more, ts: ts + part }, mid: null, source: 'stream' };
    };
    entries.push({ kind: 'outcome', intentId, outcome: { kind: 'accepted', order: report('new', '0') } });
    if (end === 1) entries.push(told('canceled', '0'));
    if (end === 2) entries.push(fill(0, '4'), told('partially_filled', '4'), fill(1, '6'), told('filled', '10'));
    if (end === 3) entries.push(told('filled', '10'));
    if (!pays) continue;
    const funding = { currency: PERPETUAL.settle, amount: '-0.3', symbol: PERPETUAL.symbol, positionSide: 'both', ts };
    entries.push({ kind: 'record', name: FUNDING_RECORD, data: funding });
  }
  return entries.map((entry, index) => ({ seq: index + 1, ts: index, entry: entry as JournalEntry }));
}

function resumed(rows: readonly JournalRow[], at: number): RebuiltVenue {
  const saved = deserialize(serialize(RebuiltVenue.of(rows.slice(0, at), facts).saved())) as SavedVenue;
  const venue = new RebuiltVenue(facts);
  venue.load(saved);
  for (const row of rows.slice(at)) venue.row(row);
  return venue;
}

describe('the exchange of a paper session from its journal', () => {
  it('is the same from what was saved and the rows after it', () => {
    fc.assert(
      fc.property(fc.array(life, { minLength: 1, maxLength: 30 }), fc.nat(), (lives, pick) => {
        const rows = rowsOf(lives);
        const at = pick % (rows.length + 1);
        expect(resumed(rows, at).state()).toEqual(RebuiltVenue.of(rows, facts).state());
      }),
    );
  });

  it('keeps what is open or not told in full, and the newest of what is over, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(life, { minLength: 40, maxLength: 80 }), (lives) => {
        const rows = rowsOf(lives);
        const whole = RebuiltVenue.of(rows, facts).state()!;
        const venue = new RebuiltVenue(facts, 5);
        for (const row of rows) venue.row(row);
        const least = venue.state()!;
        expect([least.balances, least.positions]).toEqual([whole.balances, whole.positions]);
        const isWanted = (index: number): boolean => lives[index]!.end === 0 || lives[index]!.end === 3;
        const ids = (state: typeof whole): readonly string[] => state.orders.map(({ orderId }) => orderId);
        const wanted = ids(whole).filter((_, index) => isWanted(index) || index >= lives.length - 5);
        expect(ids(least)).toEqual(expect.arrayContaining([...wanted]));
        expect(venue.saved().orders.length).toBeLessThanOrEqual(
          lives.filter((_, index) => isWanted(index)).length + 10,
        );
        expect(venue.saved().fills.length).toBeLessThan(10);
      }),
    );
  });

  it('keeps no request of money that was decided, whichever way', () => {
    const request = { kind: 'transfer', from: 'unified-trading', to: 'funding', currency: 'BBB', amount: '5' };
    const outcome = (kind: string): object => ({ kind, code: 'not_available', message: 'no', value: {}, reason: 'no' });
    const entries = [
      ['accepted', null],
      ['refused', null],
      ['denied', null],
      ['unknown', 'happened'],
      ['unknown', 'never'],
      ['unknown', null],
    ].flatMap(([kind, verdict], number) => [
      { kind: 'money-intent', intentId: `m${number}`, request },
      { kind: 'money-outcome', intentId: `m${number}`, outcome: outcome(kind!) },
      ...(verdict === null ? [] : [{ kind: 'money-resolved', intentId: `m${number}`, verdict }]),
    ]);
    const rows = entries.map((entry, index) => ({
      seq: index + 1,
      ts: index,
      entry: entry as unknown as JournalEntry,
    }));
    const { asked, accepted, totals } = RebuiltVenue.of(rows, facts).saved();
    expect(asked.map(([intentId]) => intentId)).toEqual(['m5']);
    expect([accepted.length, totals]).toEqual([2, [['BBB', '-10']]]);
  });

  it('holds money that adds up by hand', () => {
    const rows = rowsOf([
      { end: 2, isPerpetual: false, side: 'buy', price: 100, pays: false },
      { end: 3, isPerpetual: false, side: 'sell', price: 103, pays: false },
    ]);
    const { balances = [] } = RebuiltVenue.of(rows, facts).state() ?? {};
    const total = (name: string) => dec(balances.find(({ currency }) => currency === name)?.total ?? ZERO);
    expect(total('AAA').toFixed()).toBe('100000');
    const fee = facts(SPOT).takerFee('sell', dec(103), dec(10));
    expect(fee.currency).toBe('BBB');
    expect(total('BBB').toFixed()).toBe(dec('100029.8').minus(fee.amount).toFixed());
  });
});
