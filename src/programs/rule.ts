/**
 * What an order program is: a pure rule. From its terms, its data, the prices and what its children have done it says
 * which orders should work now; the executor brings the orders there, one proof at a time. It keeps nothing itself: its
 * data are an entry of the journal, its children's fills are, too.
 */
import type { ExitOnBars } from '../model/venue.ts';
import type { Instrument } from '../model/market/instrument.ts';
import type { PositionSide, Side } from '../model/trading/order.ts';
import type { ProgramEnd, ProgramKind, TriggerSource } from '../model/trading/program.ts';

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
  /** The exchange has ended the last order without a fill of all, and nobody here had asked for it. */
  readonly isLost: boolean;
  /** The last order never stood at the exchange (denied, refused, never arrived): it is still to be sent. */
  readonly isDue: boolean;
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
  readonly onBars?: ExitOnBars | undefined;
}

export interface ProgramOver {
  readonly state: ProgramEnd;
  readonly reason: string;
}

export interface Step<Data> {
  /** The same object when nothing changed. */
  readonly data: Data;
  readonly wants: readonly Want[];
  /** Group of legs → most lots that its orders may ever fill, those that have filled included. */
  readonly most: Readonly<Record<string, number>>;
  readonly end?: ProgramOver;
  /** Unix ms of the next look without an event. */
  readonly wakeAt?: number | undefined;
  readonly waitsFor: string;
  /** Ticks of what fires next. */
  readonly trigger?: number | undefined;
  /** Unix ms of the time limit by which its exits leave now. */
  readonly leftAt?: number | undefined;
  /** Signed lots that its entries brought and its exits have not taken. */
  readonly held?: number;
  /** Lots of a position that an armed or working exit of this program covers; at its end, that it leaves without one. */
  readonly covers?: number;
  /** Side of that exit; absent: of whatever is held. */
  readonly closes?: Side;
  /** As `covers`, in other symbols than its own. */
  readonly beside?: readonly { readonly symbol: string; readonly lots: number }[];
  /** It has an answer to an order that is given up. */
  readonly isAnswered?: boolean;
}

/** What a program keeps of the round that it is in. */
export interface Round {
  readonly round: number;
  /** Unix ms at which the round ended; 0: it is under way. */
  readonly endedAt: number;
}

/** `entry`, `stopLoss`; of later rounds `entry@2` … */
export function roundLeg(name: string, { round }: Round): string {
  return round === 1 ? name : `${name}@${round}`;
}

/** After a round. `begun`: what the next one begins with. */
export function between<Data extends Round>(data: Data, begun: Data, now: number, cooldown: number): Step<Data> {
  const wakeAt = data.endedAt + cooldown;
  const next = now < wakeAt ? data : { ...begun, round: data.round + 1 };
  return { data: next, wants: [], most: {}, waitsFor: 'its cooldown', wakeAt: Math.max(now, wakeAt) };
}

/** Of an entry, which is sent once: its order is over. */
export function hasEnded(leg: LegView): boolean {
  return leg.orders > 0 && !leg.isOpen && !leg.isDue;
}

/** Nothing of it works any more. */
export function over<Data>(data: Data, state: ProgramEnd, reason: string): Step<Data> {
  return { data, wants: [], most: {}, end: { state, reason }, waitsFor: 'nothing' };
}

/** What `parse` may ask. */
export interface Terms {
  /** Throws `TermsDenied`. */
  instrument(symbol: string): Instrument;
  prices(symbol: string): Prices;
  /** Free amount of the trading account, base units. */
  free(currency: string): number;
  /** An order of this side would close what the strategy holds, or what it is entering now. */
  reduces(symbol: string, side: Side, positionSide: PositionSide): boolean;
  /** A program of the strategy works in the symbol. */
  works(symbol: string): boolean;
  /** Signed lots that the strategy holds, no program has entered, and no order could close: fees in base. Else 0. */
  rest(symbol: string): number;
  /** Equity of the account, reporting currency; NaN unknown. */
  readonly reporting: string;
  /** Most that a limit price may be off the mid, as a share of it. */
  readonly collar: number;
  symbols(): readonly string[];
}

export interface Parsed<Spec, Data> {
  readonly symbol: string;
  readonly spec: Spec;
  readonly data: Data;
}

export interface ProgramRule<Action, Spec, Data> {
  readonly kind: ProgramKind;
  /** Checks every value before any order is sent; in ticks and lots from here on. Throws `TermsDenied`. */
  parse(action: Action, terms: Terms): Parsed<Spec, Data>;
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
