/**
 * The live view of `market.view`: the current state, read without a stream. Each read first asks for the due events, so
 * that a backtest delivers none without a reader.
 */
import { ASK, BID, type BookSide } from '../model/market/market-event.ts';
import { msOf } from '../model/time.ts';
import type { Level, MarketView } from '../model/market/views.ts';
import { midOf, type SeenTop } from './market-values.ts';
import type { SymbolMarket } from './symbol-market.ts';

export interface MarketViewDeps {
  readonly market: SymbolMarket;
  /** Delivers the events that are due. */
  readonly catchUp: () => void;
  /** Undefined: no usable book; null: not known without the events. */
  readonly glance: () => SeenTop | undefined | null;
  /** Called at each read of the mark price. */
  readonly needMark: () => void;
}

export function createMarketView({ market, catchUp, glance, needMark }: MarketViewDeps): MarketView {
  const { book, view } = market;
  const { instrument } = book;
  const { symbol } = instrument;
  const best = (side: BookSide): number => {
    const seen = glance();
    if (seen === undefined) return Number.NaN;
    if (seen !== null) return instrument.priceOf(side === BID ? seen.bidTicks : seen.askTicks);
    catchUp();
    if (!market.usable) return Number.NaN;
    if (side === BID) return book.bidLots > 0 ? instrument.priceOf(book.bidTicks) : Number.NaN;
    return book.askLots > 0 ? instrument.priceOf(book.askTicks) : Number.NaN;
  };
  return Object.freeze({
    symbol,
    get ts(): number {
      catchUp();
      return book.exchangeUs > 0 ? msOf(book.exchangeUs) : Number.NaN;
    },
    get bid(): number {
      return best(BID);
    },
    get ask(): number {
      return best(ASK);
    },
    get mid(): number {
      const seen = glance();
      if (seen !== null) return seen === undefined ? Number.NaN : midOf(seen);
      catchUp();
      return market.mid() ?? Number.NaN;
    },
    get last(): number {
      catchUp();
      return market.lastPrice;
    },
    get mark(): number {
      needMark();
      catchUp();
      return market.mark.last?.markPrice ?? Number.NaN;
    },
    bids: (count: number): readonly Level[] => {
      catchUp();
      return view.bids(count);
    },
    asks: (count: number): readonly Level[] => {
      catchUp();
      return view.asks(count);
    },
  });
}
