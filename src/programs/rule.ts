/**
 * The interface of an order program: a pure rule. From its terms, its data, the prices and the fills of its children it
 * says which orders should work now. The executor changes the orders accordingly, one confirmed step at a time. A rule
 * keeps nothing itself: its data and the fills of its children are in the journal.
 */
import type { ExitOnBars } from '../model/venue.ts';
import type { Instrument } from '../model/market/instrument.ts';
import type { PositionSide, Side } from '../model/trading/order.ts';
import type { ProgramEnd, TriggerSource } from '../model/trading/program.ts';

/** In ticks of its symbol; NaN: not known. */
export interface Prices {
  readonly bid: number;
  readonly ask: number;
  readonly mid: number;
  readonly last: number;
  readonly mark: number;
}

export interface LegView {
  readonly orders: number;
  /** Booked filled lots. */
  readonly filled: number;
  /** Lots that may still fill: working, unknown, or reported and not booked yet. */
  readonly working: number;
  /** Filled lots less fees paid in base; may be fractional. */
  readonly net: number;
  /** Average price in ticks; NaN without fills. */
  readonly average: number;
  /** Unix ms of the first fill; NaN: not known. */
  readonly filledAt: number;
  /** Price of the working order in ticks; NaN without one; 0: market. */
  readonly ticks: number;
  /** An order of the leg is not closed. */
  readonly isOpen: boolean;
  /** The exchange ended the last order before its complete fill, and nobody here asked for it. */
  readonly isLost: boolean;
  /** The last order never rested at the exchange (denied, refused, never arrived) or a pause or protection cancelled it: to be sent. */
  readonly isDue: boolean;
  /** Denied or refused too often, so no more of it is sent. */
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
  /** Unix ms at which this process began to follow the program; 0: it does not. */
  readonly since: number;
  /** Lots printed since then, without own orders that crossed. Falls when one is known after its print. */
  readonly printed: () => number;
  /** Base units as text. */
  readonly quantity: (lots: number) => string;
  /** Smallest order in lots at these ticks. */
  readonly least: (ticks: number, symbol?: string) => number;
  readonly isStale: boolean;
}

/** One order that should work. */
export interface Want {
  readonly leg: string;
  readonly side: Side;
  /** Lots still to be filled by this order. */
  readonly lots: number;
  /** 0: market. */
  readonly ticks: number;
  readonly reduceOnly: boolean;
  readonly postOnly?: boolean;
  /** A limit that does not rest. */
  readonly ioc?: boolean;
  readonly symbol?: string;
  readonly positionSide?: PositionSide;
  readonly onBars?: ExitOnBars | undefined;
}

export interface ProgramOver {
  readonly state: ProgramEnd;
  readonly reason: string;
}

export interface Step<Data> {
  /** The same object if nothing changed. */
  readonly data: Data;
  readonly wants: readonly Want[];
  /** Group of legs → most lots that its orders may ever fill, filled ones included. */
  readonly most: Readonly<Record<string, number>>;
  readonly end?: ProgramOver;
  /** Unix ms of the next run without an event. */
  readonly wakeAt?: number | undefined;
  readonly waitsFor: string;
  /** Ticks of the next trigger. */
  readonly trigger?: number | undefined;
  /** Unix ms of the time limit by which its exits leave. */
  readonly leftAt?: number | undefined;
  /** Signed lots of its entries less its exits. */
  readonly held?: number;
  /** Lots of a position that an armed or working exit of this program covers. At its end: lots left without an exit. */
  readonly covers?: number;
  /** Side of that exit; absent: closes either side. */
  readonly closes?: Side;
  /** As `covers`, in other symbols than its own. */
  readonly beside?: readonly { readonly symbol: string; readonly lots: number }[];
  /** The rule has an answer to an order that is given up. */
  readonly isAnswered?: boolean;
}

export interface Round {
  readonly round: number;
  /** Unix ms of the end of the round; 0: it is running. */
  readonly endedAt: number;
}

/** `entry`, `stopLoss`; of later rounds `entry@2` … */
export function roundLeg(name: string, { round }: Round): string {
  return round === 1 ? name : `${name}@${round}`;
}

/** Step after a round. `begun`: data of the next round. */
export function between<Data extends Round>(data: Data, begun: Data, now: number, cooldown: number): Step<Data> {
  const wakeAt = data.endedAt + cooldown;
  const next = now < wakeAt ? data : { ...begun, round: data.round + 1 };
  return { data: next, wants: [], most: {}, waitsFor: 'its cooldown', wakeAt: Math.max(now, wakeAt) };
}

/** True when an entry, which is sent once, is over. */
export function hasEnded(leg: LegView): boolean {
  return leg.orders > 0 && !leg.isOpen && !leg.isDue;
}

/** The step of a program that has ended. */
export function over<Data>(data: Data, state: ProgramEnd, reason: string): Step<Data> {
  return { data, wants: [], most: {}, end: { state, reason }, waitsFor: 'nothing' };
}

/** Questions that `parse` may ask. */
export interface Terms {
  /** Throws `TermsDenied`. */
  instrument(symbol: string): Instrument;
  prices(symbol: string): Prices;
  /** Free amount of the trading account, base units. */
  free(currency: string): number;
  /** An order of this side would close what the strategy holds or is entering. */
  reduces(symbol: string, side: Side, positionSide: PositionSide): boolean;
  /** Signed lots that the strategy holds, in one-way mode. */
  lots(symbol: string): number;
  /** A program of the strategy works in the symbol. */
  works(symbol: string): boolean;
  /** Signed lots of fees in base that the strategy holds, no program has entered and no order could close. Else 0. */
  rest(symbol: string): number;
  /** Relative volume of each of `parts` equal parts of the time from now, as earlier days had it. Null: not known. */
  volumes(symbol: string, overMs: number, parts: number): readonly number[] | null;
  /** The reporting currency. */
  readonly reporting: string;
  /** Largest distance of a limit price from the mid, as a fraction of the mid. */
  readonly collar: number;
  symbols(): readonly string[];
}

export interface Parsed<Spec, Data> {
  readonly symbol: string;
  readonly spec: Spec;
  readonly data: Data;
  /** What the strategy's owner should know of the terms. */
  readonly remark?: string | undefined;
}

export interface ProgramRule<Action, Spec, Data> {
  /** Checks every value before any order is sent, and converts to ticks and lots. Throws `TermsDenied`. */
  parse(action: Action, terms: Terms): Parsed<Spec, Data>;
  step(view: ProgramView<Spec, Data>): Step<Data>;
  /** Symbols, and the price sources that it follows in each. A trigger looks at the last one. */
  hears(spec: Spec, symbol: string): readonly { readonly symbol: string; readonly source: TriggerSource | 'printed' }[];
  /** Parent quantity in lots; null: it has none. */
  quantity(spec: Spec): number | null;
  /** Legs that count as filled for the parent. */
  isParent(leg: string, spec: Spec): boolean;
  /** Legs that open what other legs of the program close. Default: none. */
  isEntry?(leg: string): boolean;
  /** Legs of one group share a bound (`Step.most`) and, as exits, the lots that they close. */
  groupOf(leg: string): string;
}
