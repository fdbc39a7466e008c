/**
 * The market as the reference simulator sees it: the frames in the venue's order, turned into steps by rules T5 and M0.
 * A step lists every level that it touches with the quantity before and after, so that scripts replay cheaply; nothing
 * here knows of own orders. In mode `hft` best quotes are ignored and each row of a depth message is looked at alone.
 */
import type { DepthFrame, QuoteFrame, Recorded, Row, TradeFrame } from './frames.ts';

export type BookSide = 'bid' | 'ask';

export interface Change {
  readonly side: BookSide;
  readonly price: number;
  readonly before: number;
  readonly after: number;
  /** Named by a depth row: such rows exist because the level changed. A quote states its levels whether or not. */
  readonly isRow: boolean;
}

/** Changes after which own orders are looked at once (M5), with the displayed best then; null: the side is empty. */
export interface BookStep {
  readonly kind: 'book';
  readonly us: number;
  readonly changes: readonly Change[];
  readonly bid: number | null;
  readonly ask: number | null;
}

export interface TradeStep {
  readonly kind: 'trade';
  readonly us: number;
  readonly price: number;
  readonly quantity: number;
  readonly side: 'buy' | 'sell';
}

export type Step = BookStep | TradeStep;

export interface MarketSteps {
  readonly steps: readonly Step[];
  /** Exchange time at which the book stands, µs. */
  readonly usableUs: number;
  readonly endUs: number;
}

/** A side as a map and its prices, best first. */
class PlainSide {
  readonly quantities = new Map<number, number>();
  readonly prices: number[] = [];
  readonly #sign: number;

  constructor(side: BookSide) {
    this.#sign = side === 'bid' ? -1 : 1;
  }

  get best(): number | null {
    return this.prices[0] ?? null;
  }

  /** Quantity before. */
  set(price: number, quantity: number): number {
    const before = this.quantities.get(price) ?? 0;
    if (before === 0 && quantity > 0) this.prices.splice(this.#place(price), 0, price);
    if (before > 0 && quantity === 0) this.prices.splice(this.#place(price), 1);
    if (quantity === 0) this.quantities.delete(price);
    else this.quantities.set(price, quantity);
    return before;
  }

  /** Index of the first price that is not better. */
  #place(price: number): number {
    let [low, high] = [0, this.prices.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (((this.prices[middle] ?? 0) - price) * this.#sign < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

class PlainBook {
  readonly bids = new PlainSide('bid');
  readonly asks = new PlainSide('ask');
  depthId = -1;
  quote: QuoteFrame | undefined;

  /** A message is looked at whole: what it says of a level twice is one change. */
  set(side: BookSide, [price, quantity]: Row, changes: Change[], isRow = false): void {
    const before = (side === 'bid' ? this.bids : this.asks).set(price, quantity);
    const index = changes.findIndex((change) => change.side === side && change.price === price);
    const known = changes[index];
    if (known === undefined) changes.push({ side, price, before, after: quantity, isRow });
    else changes[index] = { ...known, after: quantity, isRow: known.isRow || isRow };
  }

  /** M0: removes better levels on each side and all that it crosses, and sets its own. */
  applyQuote(quote: QuoteFrame, changes: Change[]): void {
    for (const price of this.bids.prices.filter((other) => other > quote.bid[0] || other >= quote.ask[0])) {
      this.set('bid', [price, 0], changes);
    }
    for (const price of this.asks.prices.filter((other) => other < quote.ask[0] || other <= quote.bid[0])) {
      this.set('ask', [price, 0], changes);
    }
    this.set('bid', quote.bid, changes);
    this.set('ask', quote.ask, changes);
  }
}

export function marketSteps({ frames }: Recorded, mode: 'default' | 'hft'): MarketSteps {
  const book = new PlainBook();
  const steps: Step[] = [];
  const awaited = frames.some(({ kind }) => kind === 'snapshot');
  let isUsable = !awaited;
  let usableUs = isUsable ? (frames[0]?.us ?? 0) : Infinity;
  let buffered: DepthFrame[] = [];
  const push = (us: number, changes: readonly Change[]): void => {
    if (changes.length > 0) steps.push({ kind: 'book', us, changes, bid: book.bids.best, ask: book.asks.best });
  };
  const depth = (us: number, frame: DepthFrame): void => {
    if (frame.last <= book.depthId) return;
    book.depthId = frame.last;
    let changes: Change[] = [];
    for (const [side, row] of rowsOf(frame)) {
      book.set(side, row, changes, true);
      if (mode === 'hft') {
        push(us, changes);
        changes = [];
      }
    }
    // The last quote stands until the depth's id passes its own.
    if (mode === 'default' && book.quote !== undefined && book.quote.last > frame.last)
      book.applyQuote(book.quote, changes);
    push(us, changes);
  };
  for (const frame of frames) {
    if (frame.kind === 'trade') steps.push(tradeStep(frame));
    else if (frame.kind === 'quote') {
      if (mode === 'hft' || frame.last <= book.depthId) continue;
      if (book.quote !== undefined && frame.last <= book.quote.last) continue;
      book.quote = frame;
      if (!isUsable) continue;
      const changes: Change[] = [];
      book.applyQuote(frame, changes);
      push(frame.us, changes);
    } else if (frame.kind === 'snapshot') {
      if (isUsable) throw new Error('the reference knows one snapshot a file');
      isUsable = true;
      usableUs = frame.us;
      depth(frame.us, frame);
      for (const update of buffered) depth(frame.us, update);
      buffered = [];
    } else if (isUsable) depth(frame.us, frame);
    else buffered.push(frame);
  }
  return { steps, usableUs, endUs: frames.at(-1)?.us ?? 0 };
}

function rowsOf({ bids, asks }: DepthFrame): readonly (readonly [BookSide, Row])[] {
  return [...bids.map((row) => ['bid', row] as const), ...asks.map((row) => ['ask', row] as const)];
}

function tradeStep({ us, price, quantity, side }: TradeFrame): TradeStep {
  return { kind: 'trade', us, price, quantity, side };
}
