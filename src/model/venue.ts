/**
 * The `Venue` port: exchange or simulation. Implemented in `exchange/venue.ts` and `simulation/venue/venue.ts`.
 *
 *   executor ── send(command, onDispatch) ──▶ venue        onDispatch runs synchronously just before the bytes leave
 *   executor ◀── listener(events) ─────────── venue        outcomes and own events, in order, one callback
 *   reconciler ── query.* ──▶ Promise<Reading>              the only promises
 */
import type { AccountMovement, Balance, FundingPayment, VenuePosition } from './trading/account.ts';
import type { Denied } from './trading/deny-reason.ts';
import type { VenueFill } from './trading/fill.ts';
import type { Market } from './market/instrument.ts';
import type { OrderReport, OrderRequest } from './trading/order.ts';
import type {
  AnyMoneyOutcome,
  MoneyKind,
  MoneyRequest,
  MoneySecrets,
  OrderByHandKind,
} from './funds/money-commands.ts';
import type { CodeRow, TransactionRow } from './funds/money-records.ts';
import type { Advertisement, P2pMarket, P2pTrade, P2pUser } from './funds/p2p.ts';
import type { Lane } from './ports.ts';
import type { Outcome, Reading } from './result.ts';

/**
 * What matching on bars must know of an exit, because bars do not show the order of their prices. In ticks. Not sent.
 */
export interface ExitOnBars {
  /** The trigger that fired: it fills no better. */
  readonly fired?: number;
  /** Whose stops go first: a bar that reaches one of them and this order reaches the stop. */
  readonly exitOf?: { readonly strategy: string; /** Absent: any. */ readonly program: string | undefined };
}

export interface CreateCommand {
  readonly kind: 'create';
  /** Unique for ever; outcomes carry it. */
  readonly intentId: string;
  readonly lane: Lane;
  readonly order: OrderRequest;
  /** Unix ms, if before the command. Not sent. */
  readonly decidedAt?: number;
  readonly onBars?: ExitOnBars | undefined;
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

export type OrderCommand = CreateCommand | CancelCommand | CancelManyCommand;

/** An order by hand is a `create`. */
export type VenueMoneyKind = Exclude<MoneyKind, OrderByHandKind>;

export interface MoneyCommand {
  readonly kind: 'money';
  readonly intentId: string;
  readonly lane: Lane;
  readonly request: MoneyRequest<VenueMoneyKind>;
  readonly secrets?: MoneySecrets;
}

export type VenueCommand = OrderCommand | MoneyCommand;

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
  | { readonly kind: 'money-outcome'; readonly intentId: string; readonly outcome: AnyMoneyOutcome }
  | { readonly kind: 'order'; readonly order: OrderReport }
  | { readonly kind: 'fill'; readonly fill: VenueFill }
  /** Of the trading account. `whole`: every currency; else changed rows. */
  | { readonly kind: 'balances'; readonly balances: readonly Balance[]; readonly whole: boolean }
  | { readonly kind: 'positions'; readonly positions: readonly VenuePosition[]; readonly whole: boolean }
  /** Without this push: `query.funding`. */
  | { readonly kind: 'funding'; readonly payment: FundingPayment }
  /** Of all accounts, likewise. */
  | { readonly kind: 'accounts'; readonly balances: readonly Balance[]; readonly whole: boolean }
  /** `whole`: all own ones of every listed status. */
  | { readonly kind: 'advertisements'; readonly advertisements: readonly Advertisement[]; readonly whole: boolean }
  | { readonly kind: 'p2pTrades'; readonly trades: readonly P2pTrade[] }
  | { readonly kind: 'p2pMarkets'; readonly markets: readonly P2pMarket[] }
  | { readonly kind: 'p2pProfile'; readonly user: P2pUser }
  /** `ready`: logged in, subscribed, first data seen. Each reconnect is a new generation. */
  | { readonly kind: 'stream'; readonly state: 'ready' | 'lost'; readonly generation: number; readonly reason: string };

export type MoneyEvent = Extract<
  VenueEvent,
  { readonly kind: 'money-outcome' | 'accounts' | 'advertisements' | 'p2pTrades' | 'p2pMarkets' | 'p2pProfile' }
>;

/** Of one moment, in order. Apply all before acting. */
export type VenueListener = (events: readonly VenueEvent[]) => void;

export interface HistoryRequest {
  /** Creation time, Unix ms, inclusive. */
  readonly from: number;
  readonly to?: number;
  readonly symbol?: string;
  readonly market: Market;
}

/** Of money beside the trading account; absent where nothing of it is read. */
export interface MoneyQueries {
  /** From `from` (Unix ms), newest first. */
  transactions(from: number): Promise<Reading<TransactionRow>>;
  /** Redeemed ones too. */
  codes(): Promise<Reading<CodeRow>>;
  /** Of every status. */
  advertisements(): Promise<Reading<Advertisement>>;
  /** Maker and taker. */
  p2pTrades(): Promise<Reading<P2pTrade>>;
  p2pMarkets(): Promise<Reading<P2pMarket>>;
  /** One item. */
  p2pProfile(): Promise<Reading<P2pUser>>;
}

/** Pages to the end before `complete`. Never rejects. */
export interface VenueQueries extends Partial<MoneyQueries> {
  activeOrders(): Promise<Reading<OrderReport>>;
  orderHistory(request: HistoryRequest): Promise<Reading<OrderReport>>;
  ownTrades(request: HistoryRequest): Promise<Reading<VenueFill>>;
  /** Of all accounts. */
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
  /** Its public trades contain those of this account. */
  readonly printsOwn: boolean;
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
