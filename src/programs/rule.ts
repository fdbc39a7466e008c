/**
 * What an order program is: a pure rule. From its terms, its data, the prices and what its children have done it says
 * which orders should work now; the executor brings the orders there, one proof at a time. It keeps nothing itself: its
 * data are an entry of the journal, its children's fills are, too.
 */
import type { ExitOnBars } from '../model/venue.ts';
import type { Denied } from '../model/deny-reason.ts';
import type { Instrument } from '../model/instrument.ts';
import type { PositionSide, Side } from '../model/order.ts';
import type { ProgramEnd, ProgramKind, TriggerSource } from '../model/program.ts';

/** In ticks of its symbol; NaN: not known. */
export interface Prices {
  readonly bid: number;
  readonly ask: number;
  readonly mid: number;
  readonly last: number;
  readonly mark: number;
}

export interface LegView {
  /** Orders created so far. */
  readonly orders: number;
  /** Lots that have filled, as far as they are booked. */
  readonly filled: number;
  /** Lots that may still fill: working, unknown, or told and not booked yet. */
  readonly working: number;
  /** Less fees paid in base; may be fractional. */
  readonly net: number;
  /** Average price in ticks; NaN without fills. */
  readonly average: number;
  /** Price of the working order in ticks; NaN without one; 0: market. */
  readonly ticks: number;
  /** An order of the leg is not closed. */
  readonly isOpen: boolean;
  /** The last order ended without a fill of all and nobody here had asked for it. */
  readonly isLost: boolean;
  /** Denied or refused too often: no more of it is sent. */
  readonly isGivenUp: boolean;
}

export interface ProgramView<Spec, Data> {
  readonly spec: Spec;
  readonly data: Data;
  /** Unix ms. */
  readonly now: number;
  readonly startedAt: number;
  /** Of the program's or the named symbol. */
  readonly prices: (symbol?: string) => Prices;
  readonly leg: (name: string) => LegView;
  /** Lots printed since this process follows the program. */
  readonly printed: () => number;
  /** Base units as text. */
  readonly quantity: (lots: number) => string;
  /** Least lots of an order at these ticks. */
  readonly least: (ticks: number, symbol?: string) => number;
  /** Prices are too old to act on. */
  readonly isStale: boolean;
}

/** One order that should work. */
export interface Want {
  readonly leg: string;
  readonly side: Side;
  /** Still to be filled by this order. */
  readonly lots: number;
  /** 0: market. */
  readonly ticks: number;
  readonly reduceOnly: boolean;
  readonly postOnly?: boolean;
  /** A limit that does not rest. */
  readonly ioc?: boolean;
  readonly symbol?: string;
  readonly positionSide?: PositionSide;
  readonly onBars?: ExitOnBars;
}

export interface Step<Data> {
  /** The same object when nothing changed. */
  readonly data: Data;
  readonly wants: readonly Want[];
  /** Group of legs → most lots that its orders may ever fill, those that have filled included. */
  readonly most: Readonly<Record<string, number>>;
  readonly end?: { readonly state: ProgramEnd; readonly reason: string };
  /** Unix ms of the next look without an event. */
  readonly wakeAt?: number;
  readonly waitsFor: string;
  /** Ticks of what fires next. */
  readonly trigger?: number;
  /** Signed lots that its entries brought and its exits have not taken. */
  readonly held?: number;
  /** Lots of a position that an armed or working exit of this program covers. */
  readonly covers?: number;
  /** Side of that exit; absent: of whatever is held. */
  readonly closes?: Side;
}

/** What `parse` may ask. */
export interface Terms {
  instrument(symbol: string): Instrument | Denied;
  prices(symbol: string): Prices;
  /** Free amount of the trading account, base units. */
  free(currency: string): number;
  /** Lots that the strategy holds, signed. */
  held(symbol: string): number;
  /** Equity of the account, reporting currency; NaN unknown. */
  readonly reporting: string;
  symbols(): readonly string[];
}

export interface Parsed<Spec, Data> {
  readonly symbol: string;
  readonly spec: Spec;
  readonly data: Data;
}

export interface ProgramRule<Action, Spec, Data> {
  readonly kind: ProgramKind;
  /** Checks every value before any order is sent; in ticks and lots from here on. */
  parse(action: Action, terms: Terms): Parsed<Spec, Data> | Denied;
  step(view: ProgramView<Spec, Data>): Step<Data>;
  /** Symbols and what of them it must hear. */
  hears(spec: Spec, symbol: string): readonly { readonly symbol: string; readonly source: TriggerSource | 'printed' }[];
  /** Parent quantity in lots; null: it has none. */
  quantity(spec: Spec): number | null;
  /** Legs that count as filled for the parent. */
  isParent(leg: string, spec: Spec): boolean;
  /** Legs that open what others of the program close; default none. */
  isEntry?(leg: string): boolean;
  /** Legs of one group share a bound (`Step.most`) and, as exits, the lots that they close. */
  groupOf(leg: string): string;
}
