/**
 * What a run of the reference simulator is asked: an order script and the rules in force. Prices and quantities are in
 * units of the file's scales (see frames.ts), times in µs of the strategy's clock.
 */
export interface PlaceStep {
  readonly kind: 'place';
  readonly us: number;
  readonly ref: string;
  readonly side: 'buy' | 'sell';
  /** Null: a market order. */
  readonly price: number | null;
  readonly quantity: number;
  readonly timeInForce: 'gtc' | 'ioc';
}

export interface CancelStep {
  readonly kind: 'cancel';
  readonly us: number;
  readonly ref: string;
}

export type ScriptStep = PlaceStep | CancelStep;

export type QueueRule =
  | { readonly model: 'risk-averse' }
  | {
      readonly model: 'prob';
      readonly f: 'power' | 'log';
      readonly n: number;
      readonly p: 'share' | 'total' | 'complement';
    };

/** `lognormal`: the given values are medians. simulation.md names the model and leaves its parameters open. */
export type LatencyRule =
  | { readonly model: 'constant' }
  | { readonly model: 'lognormal'; readonly sigma: number; readonly correlation: number; readonly seed: number };

export interface Rules {
  readonly mode: 'default' | 'hft';
  readonly exchange: 'partial-fill' | 'no-partial-fill';
  readonly queue: QueueRule;
  readonly nettingWindowUs: number;
  readonly latency: LatencyRule;
  readonly entryUs: number;
  readonly responseUs: number;
  readonly maker: string;
  readonly taker: string;
  /** Balances at the start, decimal text. */
  readonly quote: string;
  readonly base: string;
}

export interface PlayedFill {
  /** Exchange time, µs. */
  readonly us: number;
  readonly price: number;
  readonly quantity: number;
  readonly fee: string;
  readonly feeCurrency: 'base' | 'quote';
  readonly liquidity: 'maker' | 'taker';
}

export interface PlayedOrder {
  readonly ref: string;
  /** `denied` only by tidewire's executor. */
  state: 'open' | 'filled' | 'canceled' | 'expired' | 'rejected' | 'denied';
  filled: number;
  readonly fills: PlayedFill[];
}

export interface Played {
  readonly orders: readonly PlayedOrder[];
  /** Total of each currency, base null on derivatives; decimal text. */
  readonly quote: string;
  readonly base: string | null;
  /** Signed, base units. */
  readonly position: string;
  /** Quote plus what is held at the last mid. */
  readonly equity: string;
}
