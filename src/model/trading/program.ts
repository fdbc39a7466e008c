/**
 * Order programs: actions with a life of their own, which manage child orders until they are done (docs/programs.md).
 * Prices are numbers, texts or decimals; quantities base units; durations texts such as `'30s'`.
 */
import type { DecimalLike } from '../numbers/money.ts';
import type { PositionSide, Side } from './order.ts';
import type { PlaceAction } from './place.ts';

export const programKinds = [
  'stop',
  'trailingStop',
  'oco',
  'bracket',
  'twap',
  'vwap',
  'pov',
  'iceberg',
  'chase',
  'grid',
  'dca',
  'rebalance',
  'pair',
] as const;

export type ProgramKind = (typeof programKinds)[number];

/** Price source of a trigger. `bid-ask`: the side at which the exit trades. */
export type TriggerSource = 'last' | 'mid' | 'bid-ask' | 'mark';

/** A price, or a distance from the entry in basis points, always positive, towards where such an exit lies. */
export type ExitPrice = DecimalLike | { readonly bps: number };

interface Common {
  /** Unique per strategy for ever; default `<strategy>-<program>-<n>`. */
  readonly ref?: string;
  readonly tag?: string;
  /** The program is cancelled after this time. */
  readonly expire?: string;
  /** While the price is stale: `hold` (default) waits with an alarm, `exit` leaves at market. */
  readonly onStale?: 'hold' | 'exit';
  /** Default `bid-ask`. */
  readonly by?: TriggerSource;
}

export interface StopTerms {
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: DecimalLike;
  readonly trigger: DecimalLike;
  /** A limit order this far beyond the trigger, price units; without it a market order. */
  readonly limit?: DecimalLike;
  readonly reduceOnly?: boolean;
  readonly positionSide?: PositionSide;
}

export interface StopAction extends StopTerms, Common {
  readonly kind: 'stop';
}

/** Exactly one of `distance` (price units) and `bps`. */
export interface TrailTerms {
  readonly distance?: DecimalLike;
  readonly bps?: number;
  /** It begins to trail at this price; default at once. */
  readonly activation?: DecimalLike;
  /** The trigger moves by whole steps, price units; default one tick. */
  readonly step?: DecimalLike;
}

export interface TrailingStopTerms extends TrailTerms {
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: DecimalLike;
  readonly reduceOnly?: boolean;
  readonly positionSide?: PositionSide;
}

export interface TrailingStopAction extends TrailingStopTerms, Common {
  readonly kind: 'trailingStop';
}

export type OcoLeg =
  | PlaceAction
  | (StopTerms & { readonly kind: 'stop' })
  | (TrailingStopTerms & { readonly kind: 'trailingStop' });

/** A fill of one leg reduces the other by as much; its end ends the other. */
export interface OcoAction extends Common {
  readonly kind: 'oco';
  readonly symbol: string;
  readonly legs: readonly [OcoLeg, OcoLeg];
}

export interface TakeProfitLevel {
  readonly price: ExitPrice;
  /** Of the entry; default an equal share of what the others leave. */
  readonly fraction?: number;
}

export interface BracketAction extends Common {
  readonly kind: 'bracket';
  readonly entry: Omit<PlaceAction, 'kind' | 'ref' | 'tag'>;
  readonly takeProfit?: ExitPrice | readonly TakeProfitLevel[];
  readonly stopLoss?: ExitPrice;
  readonly trailing?: TrailTerms;
  /** From the first fill; then it leaves at market. */
  readonly timeLimit?: string;
  /** Enters again after an exit. */
  readonly reentry?: { readonly times: number; readonly cooldown?: string };
}

interface Worked extends Common {
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: DecimalLike;
  readonly reduceOnly?: boolean;
  readonly positionSide?: PositionSide;
}

/** `low` waits at the touch until a slice ends, `normal` for half of it, `high` crosses at once. */
export type Urgency = 'low' | 'normal' | 'high';

export interface TwapAction extends Worked {
  readonly kind: 'twap';
  readonly over: string;
  /** Default: one each 30 s, at least 2 and at most 100. */
  readonly slices?: number;
  /** Never worse than this. */
  readonly limit?: DecimalLike;
  readonly urgency?: Urgency;
}

export interface VwapAction extends Omit<TwapAction, 'kind'> {
  readonly kind: 'vwap';
  /** Relative volume of equal parts of `over`; default flat. */
  readonly curve?: readonly number[];
}

export interface PovAction extends Worked {
  readonly kind: 'pov';
  /** Share of the printed volume, above 0 and at most 1. */
  readonly participation: number;
  readonly over: string;
  readonly limit?: DecimalLike;
}

export interface IcebergAction extends Worked {
  readonly kind: 'iceberg';
  readonly price: DecimalLike;
  /** Base units that rest at a time. */
  readonly show: DecimalLike;
  /** Fraction by which what is shown differs from `show`, 0 to 0.5. */
  readonly variance?: number;
}

export interface ChaseAction extends Worked {
  readonly kind: 'chase';
  /** Away from the touch; default 0. */
  readonly offsetTicks?: number;
  /** It follows at most this far from the first price, price units. */
  readonly within?: DecimalLike;
  readonly crossAfter?: string;
}

export interface GridAction extends Common {
  readonly kind: 'grid';
  readonly symbol: string;
  readonly low: DecimalLike;
  readonly high: DecimalLike;
  /** Prices from `low` to `high`, at least 2. */
  readonly levels: number;
  /** Of each level. */
  readonly quantity: DecimalLike;
  readonly spacing?: 'arithmetic' | 'geometric';
  readonly side?: 'long' | 'short' | 'neutral';
  readonly stopLoss?: DecimalLike;
  readonly takeProfit?: DecimalLike;
}

export interface DcaAction extends Common {
  readonly kind: 'dca';
  readonly symbol: string;
  /** Default `buy`. */
  readonly side?: Side;
  /** `bps`: against the price at the start. */
  readonly levels: readonly { readonly bps: number; readonly quantity: DecimalLike }[];
  /** From the average price. */
  readonly takeProfit: ExitPrice;
  readonly stopLoss?: ExitPrice;
  /** After an exit it begins again; without it one round. */
  readonly cooldown?: string;
}

export interface RebalanceAction extends Common {
  readonly kind: 'rebalance';
  /** Currency → share of what is rebalanced, together at most 1; the rest is the quote. */
  readonly weights: Readonly<Record<string, number>>;
  /** Differences below this share are left. */
  readonly band: number;
  readonly via?: 'market' | 'chase';
}

export interface PairAction extends Common {
  readonly kind: 'pair';
  /** `ratio`: base units for each unit of `quantity`; negative sells. */
  readonly legs: readonly { readonly symbol: string; readonly ratio: number }[];
  readonly quantity: DecimalLike;
  /** Units of `quantity`. */
  readonly maxUnhedged: DecimalLike;
  readonly within: string;
}

export type ProgramAction =
  | StopAction
  | TrailingStopAction
  | OcoAction
  | BracketAction
  | TwapAction
  | VwapAction
  | PovAction
  | IcebergAction
  | ChaseAction
  | GridAction
  | DcaAction
  | RebalanceAction
  | PairAction;

export type ProgramEnd = 'done' | 'canceled' | 'failed';

/** Journalled: it begins, its data change, it ends. */
export type ProgramEntry =
  | {
      readonly kind: 'program';
      readonly event: 'start';
      readonly strategy: string;
      readonly ref: string;
      readonly auto: boolean;
      readonly tag: string;
      readonly program: ProgramKind;
      readonly symbol: string;
      /** In ticks and lots. */
      readonly spec: unknown;
      readonly data: unknown;
    }
  | {
      readonly kind: 'program';
      readonly event: 'step';
      readonly strategy: string;
      readonly ref: string;
      readonly data: unknown;
    }
  | {
      readonly kind: 'program';
      readonly event: 'end';
      readonly strategy: string;
      readonly ref: string;
      readonly state: ProgramEnd;
      readonly reason: string;
    };

/** What leaves at market once the price reaches it. */
export interface Closing {
  /** Absent: an exit of either side. */
  readonly closes: Side | undefined;
  readonly ticks: number;
  /** Of the position. */
  readonly lots: number;
}

/** Of a working program. */
export interface ArmedStop extends Closing {
  readonly strategy: string;
  readonly program: string;
}

/** Fresh and frozen. Base units and prices as text; times Unix ms. */
export interface ProgramUpdate {
  readonly ref: string;
  readonly kind: ProgramKind;
  readonly strategy: string;
  readonly tag: string;
  readonly symbol: string;
  readonly state: 'working' | ProgramEnd;
  /** Why it ended. */
  readonly reason: string | null;
  /** Of the parent; null where it has none. */
  readonly quantity: string | null;
  /** Of the parent's side. */
  readonly filled: string;
  readonly averagePrice: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** Refs of its orders. */
  readonly children: readonly string[];
  /** What it waits for; null once it has ended. */
  readonly waitsFor: string | null;
  readonly next: { readonly trigger?: string; readonly at?: number };
}
