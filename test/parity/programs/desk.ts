/**
 * What a reference program sees and does. It sends what should exist; each child is bound to the one of tidewire that is
 * the same by side, quantity, price and time, whose fills and end it then learns. What cannot be bound is a difference.
 */
import type { ViewStep } from './view.ts';

export const ENTRY_US = 5000;
export const RESPONSE_US = 3000;

export type Side = 'buy' | 'sell';

/** A child as the result lists it; prices in ticks, quantities in lots, µs. */
export interface PlayedChild {
  readonly ref: string;
  readonly leg: string;
  readonly symbol: string;
  readonly side: Side;
  readonly price: number | null;
  readonly quantity: number;
  readonly state: string;
  readonly createdUs: number;
  readonly updatedUs: number;
  readonly fills: readonly {
    /** In the result, which lists the fills of one instant in their order. */
    readonly place: number;
    readonly us: number;
    readonly price: number;
    readonly quantity: number;
    readonly isTaker: boolean;
  }[];
}

export interface PlayedProgram {
  readonly ref: string;
  readonly state: string;
  readonly reason: string | null;
  readonly startedUs: number;
  readonly endedUs: number | null;
  readonly children: readonly PlayedChild[];
}

export interface Wish {
  /** Compared where the contract names it. */
  readonly leg?: string;
  readonly symbol?: string;
  readonly side: Side;
  /** Null: at market. */
  readonly price: number | null;
  readonly quantity: number;
}

export class Child {
  filled = 0;
  /** Σ price × quantity of what is known to be filled. */
  value = 0;
  isOpen: boolean;
  cancelUs: number | undefined;
  readonly wish: Wish;
  readonly played: PlayedChild;

  constructor(wish: Wish, played: PlayedChild, isOpen = false) {
    this.isOpen = isOpen;
    this.wish = wish;
    this.played = played;
  }
}

export interface Touch {
  readonly bid: number;
  readonly ask: number;
  /** Null before the first print. */
  readonly last: number | null;
}

export type News =
  | { readonly kind: 'start' | 'timer' | 'child' }
  | { readonly kind: 'market'; readonly step: ViewStep };

export interface Reference {
  /** Of programs that protect what they have entered: once expired they enter nothing more, and go on until it is closed. */
  readonly isEntry?: (leg: string) => boolean;
  /** After the start, each market event, the news of children of one instant, a timer. */
  act(desk: Desk, news: News): void;
}

const NOT_SENT: PlayedChild = {
  ref: '',
  leg: '',
  symbol: '',
  side: 'buy',
  price: null,
  quantity: 0,
  state: 'denied',
  createdUs: 0,
  updatedUs: 0,
  fills: [],
};

/** A step beyond which the two are no longer comparable. */
export class Differs extends Error {}

/** Times of maker fills are known to the ms, and timers are set to whole ms. */
export const TOLERANCE_US = 2001;

export class Desk {
  nowUs = 0;
  readonly children: Child[] = [];
  readonly touches = new Map<string, Touch>();
  ended: { readonly state: string; readonly reason: string | undefined; readonly us: number } | undefined;
  readonly #symbol: string;
  readonly #free: PlayedChild[];
  readonly #wake: (us: number) => void;
  readonly #bound: (child: Child) => void;

  constructor(symbol: string, played: PlayedProgram, wake: (us: number) => void, bound: (child: Child) => void) {
    this.#symbol = symbol;
    this.#free = [...played.children];
    this.#wake = wake;
    this.#bound = bound;
  }

  get unbound(): readonly PlayedChild[] {
    return this.#free;
  }

  touch(symbol = this.#symbol): Touch {
    const touch = this.touches.get(symbol);
    if (touch === undefined) throw new Differs(`no book of ${symbol}`);
    return touch;
  }

  /** Legs that are not sent any more. */
  barred: ((leg: string) => boolean) | undefined;

  send(wish: Wish): Child {
    if (this.barred?.(wish.leg ?? '') === true) return new Child(wish, NOT_SENT);
    const index = this.#free.findIndex(
      (other) =>
        (wish.leg === undefined || other.leg === wish.leg) &&
        other.symbol === (wish.symbol ?? this.#symbol) &&
        other.side === wish.side &&
        other.price === wish.price &&
        other.quantity === wish.quantity &&
        Math.abs(other.createdUs - this.nowUs) <= TOLERANCE_US,
    );
    const [played] = index < 0 ? [] : this.#free.splice(index, 1);
    if (played === undefined) {
      const next = this.#free.toSorted((a, b) => a.createdUs - b.createdUs)[0];
      const theirs = next === undefined ? 'nothing more' : textOf(next);
      throw new Differs(`expected ${textOf({ ...wish, createdUs: this.nowUs })}, tidewire has ${theirs}`);
    }
    const child = new Child(wish, played, true);
    this.children.push(child);
    this.#bound(child);
    return child;
  }

  /** Only what the exchange has named can be cancelled: until its answer is there nothing happens. */
  cancel(child: Child | undefined): void {
    if (child?.isOpen === true && this.nowUs >= child.played.createdUs + ENTRY_US + RESPONSE_US)
      child.cancelUs ??= this.nowUs;
  }

  wake(us: number): void {
    this.#wake(us);
  }

  end(state: string, reason?: string): void {
    this.ended ??= { state, reason, us: this.nowUs };
  }

  /** Σ of the children of a side. */
  filled(side: Side): number {
    return this.children.reduce((sum, child) => sum + (child.wish.side === side ? child.filled : 0), 0);
  }

  open(): readonly Child[] {
    return this.children.filter(({ isOpen }) => isOpen);
  }
}

export function textOf(
  child: Pick<PlayedChild, 'side' | 'price' | 'quantity' | 'createdUs'> & { readonly leg?: string | undefined },
): string {
  return `${child.leg ?? ''} ${child.side} ${child.quantity} at ${child.price ?? 'market'} (${child.createdUs} us)`;
}
