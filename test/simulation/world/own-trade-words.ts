/**
 * What the exchange says of own trades, in other words than those of their orders: everywhere the side of the taker, in a world
 * of which that is the way; in single frames a side that is turned, a symbol, market, price or quantity that contradicts
 * the order, or a price or quantity that the order allows. The trades themselves are what they are, and the lists say so, but for the taker's side. Docs: fault model, A and B.
 */
import { isRecord } from '../../../src/exchange/wire/decoded.ts';
import { retellings } from '../../../src/sandbox/retellings.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { VenueSide } from './venue-side.ts';

/** No order of this world is for so much. */
const FAR_TOO_MUCH = '777';

type Row = Record<string, unknown>;
type Contradiction = 'symbol' | 'market' | 'price' | 'quantity';

export class OwnTradeWords {
  readonly #plan: FaultPlan;
  readonly #venue: VenueSide;

  constructor(plan: FaultPlan, venue: VenueSide) {
    this.#plan = plan;
    this.#venue = venue;
  }

  /** An answer, as the exchange tells it. */
  answer(text: string): string {
    if (!this.#plan.rates.has('taker-side')) return text;
    const told = retellings.takerSide(text);
    if (told !== text) this.#venue.misworded.add('side');
    return told;
  }

  /** A frame: what the exchange tells, and what may become of it. */
  frame(text: string): string {
    if (!text.includes('"tradeId"') || !text.includes('"liquidity"')) return text;
    const told = this.answer(text);
    if (this.#plan.strikes('own-trade-turned')) return this.#changed(told, 'side', turned);
    if (this.#plan.strikes('own-trade-wrong')) {
      const change = this.#plan.pick([halved, (row: Row) => this.#cheaper(row), (row: Row) => this.#more(row)]);
      return this.#changed(told, 'terms', change);
    }
    if (this.#plan.strikes('own-trade-fee')) return this.#charged(told, this.#plan.pick([0, 2]));
    if (!this.#plan.strikes('own-trade-contradicts')) return told;
    const what = this.#plan.pick<Contradiction>(['symbol', 'market', 'price', 'quantity']);
    return this.#changed(told, 'terms', (row) => this.#contradicting(row, what));
  }

  /** With so many times its fee, which no law of agreement allows for. */
  #charged(text: string, times: number): string {
    return rewritten(text, (row) => ({ ...row, fee: (times * Number(row['fee'] ?? 0)).toFixed(12) }));
  }

  #changed(text: string, words: 'side' | 'terms', change: (row: Row) => Row): string {
    this.#venue.misworded.add(words);
    return rewritten(text, change);
  }

  /** Better for its order than it was. */
  #cheaper(row: Row): Row {
    const away = this.#venue.buys(String(row['orderId'])) ? -1 : 1;
    return { ...row, price: String(Number(row['price']) + away) };
  }

  /** With half of what its order has left. */
  #more(row: Row): Row {
    const more = (this.#venue.unfilled(String(row['orderId'])) / 2).toFixed(3);
    return { ...row, quantity: String(Number((Number(row['quantity']) + Number(more)).toFixed(8))) };
  }

  #contradicting(row: Row, what: Contradiction): Row {
    // An order at market has no limit that a price could contradict.
    const isAtMarket = !this.#venue.hasLimit(String(row['orderId']));
    if (what === 'symbol') return { ...row, symbol: 'ETHBTC' };
    if (what === 'market') return { ...row, market: row['market'] === 'spot' ? 'derivative' : 'spot' };
    if (what === 'quantity' || isAtMarket) return { ...row, quantity: FAR_TOO_MUCH };
    // Half of the price contradicts a sale, twice of it a purchase; which it was the order says.
    return { ...row, price: this.#venue.buys(String(row['orderId'])) ? '999999' : '0.5' };
  }
}

function rewritten(text: string, change: (row: Row) => Row): string {
  return JSON.stringify(
    JSON.parse(text, (_key, value: unknown) => (isRecord(value) && 'tradeId' in value ? change({ ...value }) : value)),
  );
}

function turned(row: Row): Row {
  return { ...row, side: row['side'] === 'buy' ? 'sell' : 'buy' };
}

/** Where half of it is on the grid. */
function halved(row: Row): Row {
  const half = (Number(row['quantity']) / 2).toFixed(3);
  return Number(half) > 0 ? { ...row, quantity: String(Number(half)) } : row;
}
