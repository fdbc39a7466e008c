/** Positions and balances as a strategy sees them: with a value at the present price, and with numbers beside the text. */
import type { Balance, StrategyPosition } from '../../model/trading/account.ts';
import type { Instrument, Market } from '../../model/market/instrument.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { PositionSide } from '../../model/trading/order.ts';
import type { MarketView } from '../../model/market/views.ts';

/** A position with what it would gain now. */
export interface OpenPosition extends StrategyPosition {
  /**
   * Live, exact text: (price − `entryPrice`) × `quantity` × contract size, before fees and funding; quote units on
   * spot, settlement currency on perpetuals. The price is the mark of a perpetual if known, else the mid. `'0'` when
   * flat, null without a price.
   */
  readonly unrealised: string | null;
}

export interface FreeBalance extends Balance {
  /** `available` as a number, for estimates. */
  readonly free: number;
}

/** Where the price of a position comes from. */
export interface PricedMarket {
  instrument(symbol: string): Instrument;
  view(symbol: string): MarketView;
}

/** A mid lies on half ticks; binary noise is beyond these places. */
const EXTRA_PLACES = 4;

function priceOf(view: MarketView, isPerpetual: boolean): number {
  const mark = isPerpetual ? view.mark : Number.NaN;
  return Number.isNaN(mark) ? view.mid : mark;
}

export function unrealisedOf(position: StrategyPosition, market: PricedMarket): string | null {
  const { symbol, entryPrice, quantity } = position;
  if (entryPrice === null) return '0';
  const { pricePrecision, contractSize } = market.instrument(symbol);
  const price = priceOf(market.view(symbol), position.market === 'derivative');
  if (!Number.isFinite(price)) return null;
  const moved = dec(price.toFixed(pricePrecision + EXTRA_PLACES)).minus(dec(entryPrice));
  return decimalText(moved.times(dec(quantity)).times(contractSize));
}

class Open implements OpenPosition {
  readonly symbol: string;
  readonly market: Market;
  readonly positionSide: PositionSide;
  readonly quantity: string;
  readonly size: number;
  readonly isFlat: boolean;
  readonly entryPrice: string | null;
  readonly realizedPnl: string;
  declare readonly funding?: string;
  readonly #position: StrategyPosition;
  readonly #priced: PricedMarket;

  constructor(position: StrategyPosition, priced: PricedMarket) {
    this.symbol = position.symbol;
    this.market = position.market;
    this.positionSide = position.positionSide;
    this.quantity = position.quantity;
    this.size = position.size;
    this.isFlat = position.isFlat;
    this.entryPrice = position.entryPrice;
    this.realizedPnl = position.realizedPnl;
    if (position.funding !== undefined) this.funding = position.funding;
    this.#position = position;
    this.#priced = priced;
    Object.freeze(this);
  }

  // On the prototype, so that a copy of a position in a note or a log holds no later price.
  get unrealised(): string | null {
    return unrealisedOf(this.#position, this.#priced);
  }

  isOf(position: StrategyPosition): boolean {
    return this.#position === position;
  }
}

/** The same position has the same object. */
export function openPositions(priced: PricedMarket): (position: StrategyPosition) => OpenPosition {
  const last = new Map<string, Open>();
  return (position) => {
    const name = `${position.symbol}/${position.positionSide}`;
    const known = last.get(name);
    if (known?.isOf(position) === true) return known;
    const open = new Open(position, priced);
    last.set(name, open);
    return open;
  };
}

export function freeBalance(balance: Balance): FreeBalance {
  return Object.freeze({ ...balance, free: Number(balance.available) });
}
