/** Trades of one order by id, with their terms as booked. Most orders have one, which needs no map. */
import type { VenueFill } from '../../model/trading/fill.ts';

/** The currency of the fee is not known of trades of an older journal. */
export type TradeTerms = Pick<VenueFill, 'quantity' | 'price' | 'fee'> & Partial<Pick<VenueFill, 'feeCurrency'>>;

/** As `terms` of `TradeIds`. */
export function termsText({ quantity, price, fee, feeCurrency }: VenueFill): string {
  return `${quantity} ${price} ${fee} ${feeCurrency}`;
}

export class TradeIds {
  private first: string | undefined;
  private firstTerms = '';
  private others: Map<string, string> | undefined;

  get size(): number {
    return (this.first === undefined ? 0 : 1) + (this.others?.size ?? 0);
  }

  has(tradeId: string): boolean {
    return tradeId === this.first || this.others?.has(tradeId) === true;
  }

  /** Undefined when they are not known. */
  termsOf(tradeId: string): TradeTerms | undefined {
    const terms = tradeId === this.first ? this.firstTerms : this.others?.get(tradeId);
    const [quantity, price, fee, feeCurrency] = terms?.split(' ') ?? [];
    if (quantity === undefined || price === undefined || fee === undefined) return undefined;
    return { quantity, price, fee, ...(feeCurrency === undefined ? {} : { feeCurrency }) };
  }

  /** Replaces the terms of a known one. */
  set(tradeId: string, terms: string): void {
    if (this.first === undefined) this.first = tradeId;
    if (tradeId === this.first) this.firstTerms = terms;
    else (this.others ??= new Map()).set(tradeId, terms);
  }
}
