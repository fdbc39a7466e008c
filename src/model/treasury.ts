/**
 * The `Treasury` port: what moves money without a bot's order (transfers, codes, withdrawals, fiat, overdraft, P2P, and
 * perpetuals by hand), of the same shape as `Venue` (wall 1). `exchange/treasury.ts` is the real one, `simulation/treasury.ts` the simulated one.
 *
 *   money desk ── send(command, onDispatch) ──▶ treasury    onDispatch runs synchronously just before the bytes leave
 *   money desk ◀── listener(event) ─────────── treasury     outcomes and own events, in order, one callback
 *   resolver ── query.* ──▶ Promise<Reading>                 the only promises
 *
 * What is asked (`request`) is plain data that may be journalled; what must never be written down (`secrets`) travels
 * beside it.
 */
import type { AccountType, Balance, VenuePosition } from './account.ts';
import type { VenueFill } from './fill.ts';
import type {
  CanceledWithdrawal,
  CodeRow,
  CryptoWithdrawal,
  FiatApplication,
  MovedFiatApplication,
  NewCode,
  OverdraftLoan,
  TransactionRow,
  Transfer,
  TransferRoute,
} from './money-records.ts';
import type { OrderReport, OrderRequest, PositionSide } from './order.ts';
import type { Advertisement, AdvertisementTerms, P2pMarket, P2pTrade, P2pUser, PaymentMethod } from './p2p.ts';
import type { Lane } from './ports.ts';
import type { MoneyOutcome, Reading } from './result.ts';
import type { OnDispatch } from './venue.ts';

interface FiatContent {
  readonly type: 'deposit' | 'withdrawal';
  readonly currency: string;
  readonly amount: string;
  readonly method: string;
}

interface AdvertisementId {
  readonly advertisementId: string;
}

interface TradeId {
  readonly tradeId: string;
}

/** Content of each request. Amounts are decimal text above zero. */
export interface MoneyContents {
  readonly transfer: {
    readonly from: AccountType;
    readonly to: AccountType;
    readonly currency: string;
    readonly amount: string;
  };
  /** Debits `funding`. The code's text is in the answer alone. */
  readonly codeCreate: {
    readonly currency: string;
    readonly amount: string;
    /** Login of the only user who may redeem it. */
    readonly recipient?: string;
    readonly comment?: string;
  };
  /** `secrets.code` is what is redeemed; credits `funding`. */
  readonly codeRedeem: object;
  /** Debits `funding` by amount and fee. `secrets.auth2faCode` where the service wants one. */
  readonly withdraw: {
    readonly currency: string;
    readonly network: string;
    readonly address: string;
    readonly memo?: string;
    readonly amount: string;
  };
  readonly cancelWithdrawal: { readonly transactionId: string };
  /** A draft. `secrets.details` is whatever the cashier needs for the method. */
  readonly fiatCreate: FiatContent;
  readonly fiatSubmit: FiatContent;
  readonly fiatConfirm: { readonly applicationId: string };
  readonly fiatDelete: { readonly applicationId: string };
  readonly overdraftPay: { readonly amount: string };
  readonly advertise: AdvertisementTerms & { readonly marketId: string; readonly side: 'buy' | 'sell' };
  readonly editAdvertisement: AdvertisementId & Partial<AdvertisementTerms>;
  readonly activateAdvertisement: AdvertisementId;
  readonly deactivateAdvertisement: AdvertisementId;
  readonly deleteAdvertisement: AdvertisementId;
  /** As a taker; `amount` of base. */
  readonly respond: AdvertisementId & { readonly amount: string; readonly paymentMethodId: string };
  /** The maker's, within 10 minutes. */
  readonly startTrade: TradeId;
  /** The buyer's. */
  readonly payTrade: TradeId;
  /** The seller's: releases the escrow for good. */
  readonly confirmTrade: TradeId;
  readonly disputeTrade: TradeId & { readonly reason: string };
  readonly cancelTrade: TradeId;
  /** One order of a perpetual by hand. The client order id is ours alone: another one makes no other order of it. */
  readonly futuresOrder: Omit<OrderRequest, 'market'>;
  /** At market; all that is held without a `quantity`. It has no client order id (wire profile, "positions/close"). */
  readonly futuresClose: {
    readonly symbol: string;
    readonly positionSide: PositionSide;
    readonly quantity?: string;
  };
}

export type MoneyKind = keyof MoneyContents;

/** Plain data, may be journalled. `MoneyRequest<'transfer'>` is one kind, `MoneyRequest` any. */
export type MoneyRequest<K extends MoneyKind = MoneyKind> = {
  [P in K]: { readonly kind: P } & MoneyContents[P];
}[K];

/** Never journalled, never logged. */
export interface MoneySecrets {
  /** Text of the code to redeem. */
  readonly code?: string;
  readonly auth2faCode?: string;
  /** Of a fiat application: account numbers and the like. */
  readonly details?: string | Readonly<Record<string, string>>;
}

/** What the venue answers to each request when it accepts it. */
export interface MoneyAnswers {
  readonly transfer: Transfer;
  readonly codeCreate: NewCode;
  readonly codeRedeem: CodeRow;
  readonly withdraw: CryptoWithdrawal;
  readonly cancelWithdrawal: CanceledWithdrawal;
  readonly fiatCreate: FiatApplication;
  readonly fiatSubmit: FiatApplication;
  readonly fiatConfirm: MovedFiatApplication;
  readonly fiatDelete: MovedFiatApplication;
  readonly overdraftPay: OverdraftLoan;
  readonly advertise: Advertisement;
  readonly editAdvertisement: Advertisement;
  readonly activateAdvertisement: Advertisement;
  readonly deactivateAdvertisement: Advertisement;
  readonly deleteAdvertisement: Advertisement;
  readonly respond: P2pTrade;
  readonly startTrade: P2pTrade;
  readonly payTrade: P2pTrade;
  readonly confirmTrade: P2pTrade;
  readonly disputeTrade: P2pTrade;
  readonly cancelTrade: P2pTrade;
  readonly futuresOrder: OrderReport;
  readonly futuresClose: OrderReport;
}

export interface TreasuryCommand<K extends MoneyKind = MoneyKind> {
  /** Unique per command for ever; outcomes carry it. */
  readonly intentId: string;
  readonly lane: Lane;
  readonly request: MoneyRequest<K>;
  readonly secrets?: MoneySecrets;
}

export type TreasuryEvent =
  /** The value is that of `MoneyAnswers` for the kind of the command. */
  | {
      readonly kind: 'outcome';
      readonly intentId: string;
      readonly outcome: MoneyOutcome<MoneyAnswers[MoneyKind]>;
    }
  /** `whole`: every currency of every account; else changed rows only. */
  | { readonly kind: 'balances'; readonly balances: readonly Balance[]; readonly whole: boolean }
  /** Own ones. `whole`: all of them, of every status that the venue lists. */
  | { readonly kind: 'advertisements'; readonly advertisements: readonly Advertisement[]; readonly whole: boolean }
  | { readonly kind: 'trades'; readonly trades: readonly P2pTrade[]; readonly whole: boolean }
  /** All P2P pairs. */
  | { readonly kind: 'markets'; readonly markets: readonly P2pMarket[] }
  | { readonly kind: 'profile'; readonly user: P2pUser };

/** Reads. Each pages to its end before it says `complete`; none ever rejects: a failure is a `Reading`. */
export interface TreasuryQueries {
  /** Every currency of every account. */
  balances(): Promise<Reading<Balance>>;
  /** Created at `from` (Unix ms) or later, newest first. */
  transactions(from: number): Promise<Reading<TransactionRow>>;
  /** Own codes, redeemed or not. */
  codes(): Promise<Reading<CodeRow>>;
  routes(): Promise<Reading<TransferRoute>>;
  /** Own advertisements of every status. */
  advertisements(): Promise<Reading<Advertisement>>;
  /** Own trades, as maker and as taker. */
  trades(): Promise<Reading<P2pTrade>>;
  p2pMarkets(): Promise<Reading<P2pMarket>>;
  paymentMethods(): Promise<Reading<PaymentMethod>>;
  /** The user of this key; one item. */
  p2pProfile(): Promise<Reading<P2pUser>>;
  /** Of perpetuals: every active one, and those of the history that were created at `from` (Unix ms) or later. */
  futuresOrders(from: number): Promise<Reading<OrderReport>>;
  /** Own trades of perpetuals since `from`. */
  futuresTrades(from: number): Promise<Reading<VenueFill>>;
  positions(): Promise<Reading<VenuePosition>>;
}

export interface Treasury {
  readonly query: TreasuryQueries;
  /** Exactly one listener; events come in the order in which they happened. Call before `start`. */
  listen(listener: (event: TreasuryEvent) => void): void;
  /** The outcome comes as an event, exactly once, never inside this call. */
  send(command: TreasuryCommand, onDispatch: OnDispatch): void;
  /** Begins to tell balances of all accounts and, where it was asked for, P2P. */
  start(): void;
  stop(): Promise<void>;
}
