/** The perpetuals of one account: position mode, a holding per symbol, a margin book per settlement currency. */
import { ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { Wallet } from '../accounts.ts';
import { sidesOfMode, type PositionMode } from '../position-mode.ts';
import { Holding, type HoldingTerms, type PositionSlot } from './position-slot.ts';
import { type FreeSpotLocks, MarginBook, type PerpetualMarket } from './margin-book.ts';
import type { PerpetualRules } from './rules.ts';

export class MarginAccount<Order extends object> {
  mode: PositionMode = 'one-way';
  readonly wallet: Wallet;
  readonly books: MarginBook<PositionSlot<Order>>[] = [];
  readonly #rules: PerpetualRules;
  readonly #freeSpotLocks: FreeSpotLocks | null;
  readonly #holdings = new Map<PerpetualMarket, Holding<Order>>();

  /** Without `freeSpotLocks` losses never take money locked by spot orders. */
  constructor(wallet: Wallet, rules: PerpetualRules, freeSpotLocks: FreeSpotLocks | null = null) {
    this.wallet = wallet;
    this.#rules = rules;
    this.#freeSpotLocks = freeSpotLocks;
  }

  holdings(): IterableIterator<Holding<Order>> {
    return this.#holdings.values();
  }

  holding(market: PerpetualMarket, terms: HoldingTerms): Holding<Order> {
    let holding = this.#holdings.get(market);
    if (holding === undefined) {
      holding = new Holding(market, this.#book(market.instrument.settle), terms);
      this.#holdings.set(market, holding);
    }
    return holding;
  }

  slotsOf(holding: Holding<Order>): PositionSlot<Order>[] {
    return sidesOfMode[this.mode].map((side) => holding.slot(side));
  }

  /** Positions of several symbols share their collateral. */
  get isShared(): boolean {
    return this.books.some((book) => !book.isOfOneMarket);
  }

  /** Of the only perpetual: nothing can be due at marks from `from` to `to`. */
  isSafeBetween(from: number, to: number): boolean {
    return this.books.every((book) => book.isSafeBetween(from, to));
  }

  book(currency: string): MarginBook<PositionSlot<Order>> | undefined {
    for (const book of this.books) if (book.currency === currency) return book;
    return undefined;
  }

  /** What may leave the account or back a new order. */
  free(currency: string): Decimal {
    return this.book(currency)?.free() ?? this.wallet.pocket(currency).available;
  }

  /** Unrealised loss of open cross positions, zero or above. */
  crossLoss(currency: string): Decimal {
    return this.book(currency)?.crossLoss() ?? ZERO;
  }

  isEngaged(holding?: Holding<Order>): boolean {
    const holdings = holding === undefined ? [...this.#holdings.values()] : [holding];
    return holdings.some(({ slots }) => slots.some((slot) => slot.isOpen || slot.orders.size > 0));
  }

  #book(currency: string): MarginBook<PositionSlot<Order>> {
    const known = this.book(currency);
    if (known !== undefined) return known;
    const book = new MarginBook<PositionSlot<Order>>(this.wallet.pocket(currency), this.#rules, this.#freeSpotLocks);
    this.books.push(book);
    return book;
  }
}
