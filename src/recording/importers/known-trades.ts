/**
 * Trades that the data hold twice: the same one in two files or after a reconnect, and Binance's aggregated trades
 * beside the single ones they sum up. Import and compile see the same trades in the same order.
 */
import type { RawTrade } from './raw-message.ts';

/** Copies of a trade are this near in the data. */
const KEPT = 100_000;
/** The other kind counts once the first has ended. */
const OTHER_KIND_US = 60_000_000;

interface Known {
  /** The newest, oldest first. */
  readonly trades: Set<string>;
  aggregated: boolean;
  lastUs: number;
}

export class KnownTrades {
  readonly #bySymbol = new Map<string, Known>();
  /** Left out. */
  doubled = 0;
  /** Left out, as the other kind has them. */
  otherKind = 0;

  /** False: leave it out. */
  admits(symbol: string, trade: RawTrade): boolean {
    const { exchangeUs, aggregated = false, tradeId, price, quantity, takerBuys } = trade;
    let known = this.#bySymbol.get(symbol);
    if (known === undefined) {
      known = { trades: new Set(), aggregated, lastUs: exchangeUs };
      this.#bySymbol.set(symbol, known);
    }
    if (aggregated !== known.aggregated) {
      if (Math.abs(exchangeUs - known.lastUs) < OTHER_KIND_US) {
        this.otherKind++;
        return false;
      }
      known.aggregated = aggregated;
    }
    known.lastUs = exchangeUs;
    if (tradeId === '') return true;
    const { trades } = known;
    const key = `${tradeId} ${exchangeUs} ${String(price)} ${String(quantity)} ${takerBuys}`;
    if (trades.has(key)) {
      this.doubled++;
      return false;
    }
    trades.add(key);
    if (trades.size > KEPT) for (const oldest of trades) if (trades.delete(oldest)) break;
    return true;
  }
}
