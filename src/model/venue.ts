/**
 * The `Venue` port: exchange or simulation. Implemented in `exchange/venue.ts` and `simulation/venue.ts`.
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
  /** Unique for ever; outcomes carry it. */
  readonly intentId: string;
  readonly lane: Lane;
  readonly order: OrderRequest;
  /** Unix ms, if before the command. Not sent. */
  readonly decidedAt?: number;
}

export interface CancelCommand {
  readonly kind: 'cancel';
  readonly intentId: string;
  readonly lane: Lane;
  readonly symbol: string;
  readonly market: Market;
  readonly orderId: string;
}

/** One request; the answer lists each result. */
export interface CancelManyCommand {
  readonly kind: 'cancelMany';
  readonly intentId: string;
  readonly lane: Lane;
  readonly orderIds: readonly string[];
}

export type VenueCommand = CreateCommand | CancelCommand | CancelManyCommand;

/** A denial gives the outcome `denied`. */
export type Verdict = 'go' | Denied;

/** A returned function is called after the whole batch, for one commit. */
export type OnDispatch = () => Verdict | (() => Verdict);

export function verdictOf(onDispatch: OnDispatch): Verdict {
  const asked = onDispatch();
  return typeof asked === 'function' ? asked() : asked;
}

export type VenueEvent =
  | { readonly kind: 'outcome'; readonly intentId: string; readonly outcome: Outcome }
  | { readonly kind: 'order'; readonly order: OrderReport }
  | { readonly kind: 'fill'; readonly fill: VenueFill }
  /** `whole`: every currency; else changed rows. */
  | { readonly kind: 'balances'; readonly balances: readonly Balance[]; readonly whole: boolean }
  | { readonly kind: 'positions'; readonly positions: readonly VenuePosition[]; readonly whole: boolean }
  /** Without this push: `query.funding`. */
  | { readonly kind: 'funding'; readonly payment: FundingPayment }
  /** `ready`: logged in, subscribed, first data seen. Each reconnect is a new generation. */
  | { readonly kind: 'stream'; readonly state: 'ready' | 'lost'; readonly generation: number; readonly reason: string };

/** Of one moment, in order. Apply all before acting. */
export type VenueListener = (events: readonly VenueEvent[]) => void;

export interface HistoryRequest {
  /** Creation time, Unix ms, inclusive. */
  readonly from: number;
  readonly to?: number;
  readonly symbol?: string;
  readonly market: Market;
}

/** Pages to the end before `complete`. Never rejects. */
export interface VenueQueries {
  activeOrders(): Promise<Reading<OrderReport>>;
  orderHistory(request: HistoryRequest): Promise<Reading<OrderReport>>;
  ownTrades(request: HistoryRequest): Promise<Reading<VenueFill>>;
  balances(): Promise<Reading<Balance>>;
  positions(): Promise<Reading<VenuePosition>>;
  /** From `from`, Unix ms, inclusive. */
  funding?(from: number): Promise<Reading<FundingPayment>>;
  /** Completed ones of any account, likewise. */
  movements?(from: number): Promise<Reading<AccountMovement>>;
}

export interface Venue {
  readonly query: VenueQueries;
  /** Whether the venue keeps and returns them. */
  readonly clientOrderIds: boolean;
  /** Venue minus local clock at signing; absent: same clock. */
  readonly clockOffsetMs?: () => number;
  /** Exactly one listener, before `start`. */
  listen(listener: VenueListener): void;
  send(command: VenueCommand, onDispatch: OnDispatch): void;
  /** Commands inside `run` leave together, as budget allows. */
  together(run: () => void): void;
  start(): void;
  stop(): Promise<void>;
}
