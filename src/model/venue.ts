/**
 * The `Venue` port: the exchange or its simulation, as the executor sees it (wall 1). `exchange/venue.ts` is the real
 * one, `simulation/venue.ts` the simulated one; nothing above can tell them apart.
 *
 *   executor ── send(command, onDispatch) ──▶ venue        onDispatch runs synchronously just before the bytes leave
 *   executor ◀── listener(events) ─────────── venue        outcomes and own events, in order, one callback
 *   reconciler ── query.* ──▶ Promise<Reading>              the only promises
 */
import type { AccountMovement, Balance, FundingPayment, VenuePosition } from './account.ts';
import type { Denied } from './deny-reason.ts';
import type { VenueFill } from './fill.ts';
import type { Market } from './instrument.ts';
import type { OrderReport, OrderRequest } from './order.ts';
import type { Lane } from './ports.ts';
import type { Outcome, Reading } from './result.ts';

export interface CreateCommand {
  readonly kind: 'create';
  /** Unique per command for ever; outcomes carry it. */
  readonly intentId: string;
  readonly lane: Lane;
  readonly order: OrderRequest;
  /** Unix ms at which the strategy decided it, where that was before the command: an exchange has no use for it. */
  readonly decidedAt?: number;
}

export interface CancelCommand {
  readonly kind: 'cancel';
  readonly intentId: string;
  readonly lane: Lane;
  readonly symbol: string;
  readonly market: Market;
  /** The venue's order id. */
  readonly orderId: string;
}

/** Several cancels in one request; the answer lists what was cancelled and what was not. */
export interface CancelManyCommand {
  readonly kind: 'cancelMany';
  readonly intentId: string;
  readonly lane: Lane;
  readonly orderIds: readonly string[];
}

export type VenueCommand = CreateCommand | CancelCommand | CancelManyCommand;

/** `go` lets the bytes leave; a denial stops them, and the outcome is `denied`. */
export type Verdict = 'go' | Denied;

/**
 * Asked just before the bytes leave. What is answered as a function is asked for its verdict once all that leaves together has been
 * asked: then one commit makes durable what lets all of it go.
 */
export type OnDispatch = () => Verdict | (() => Verdict);

/** Of a command that leaves alone. */
export function verdictOf(onDispatch: OnDispatch): Verdict {
  const asked = onDispatch();
  return typeof asked === 'function' ? asked() : asked;
}

export type VenueEvent =
  | { readonly kind: 'outcome'; readonly intentId: string; readonly outcome: Outcome }
  | { readonly kind: 'order'; readonly order: OrderReport }
  | { readonly kind: 'fill'; readonly fill: VenueFill }
  /** `whole`: every currency of the account; else changed rows only. */
  | { readonly kind: 'balances'; readonly balances: readonly Balance[]; readonly whole: boolean }
  | { readonly kind: 'positions'; readonly positions: readonly VenuePosition[]; readonly whole: boolean }
  /** A venue without such a push answers `query.funding`. */
  | { readonly kind: 'funding'; readonly payment: FundingPayment }
  /** The private stream: `ready` means logged in, subscribed and first data seen. Each reconnect is a new generation. */
  | { readonly kind: 'stream'; readonly state: 'ready' | 'lost'; readonly generation: number; readonly reason: string };

/** What the venue says at one moment, in order: all of it is taken in before anybody acts on any of it. */
export type VenueListener = (events: readonly VenueEvent[]) => void;

export interface HistoryRequest {
  /** Unix ms, inclusive, on creation time. */
  readonly from: number;
  readonly to?: number;
  readonly symbol?: string;
  readonly market: Market;
}

/** Reads. Each pages to its end before it says `complete`; none ever rejects: a failure is a `Reading`. */
export interface VenueQueries {
  activeOrders(): Promise<Reading<OrderReport>>;
  orderHistory(request: HistoryRequest): Promise<Reading<OrderReport>>;
  ownTrades(request: HistoryRequest): Promise<Reading<VenueFill>>;
  balances(): Promise<Reading<Balance>>;
  positions(): Promise<Reading<VenuePosition>>;
  /** Settlements of funding since then, Unix ms inclusive. */
  funding?(from: number): Promise<Reading<FundingPayment>>;
  /** Completed movements without a trade since then, of any account, Unix ms inclusive. */
  movements?(from: number): Promise<Reading<AccountMovement>>;
}

export interface Venue {
  readonly query: VenueQueries;
  /** Whether the venue keeps and returns our client order ids. */
  readonly clientOrderIds: boolean;
  /** The venue's clock before the local one as requests are signed now, ms; absent where it is the local one. */
  readonly clockOffsetMs?: () => number;
  /** Exactly one listener; events come in the order in which they happened. Call before `start`. */
  listen(listener: VenueListener): void;
  send(command: VenueCommand, onDispatch: OnDispatch): void;
  /** What is sent inside `run` leaves together, as far as it may leave now. */
  together(run: () => void): void;
  /** Connects streams, if any. `ready` comes as an event. */
  start(): void;
  stop(): Promise<void>;
}
