/**
 * The `Treasury` port: money moved without a bot's order. Implemented in `exchange/treasury.ts` and
 * `simulation/treasury.ts`.
 *
 *   treasury room ── send(command, onDispatch) ──▶ treasury    onDispatch runs synchronously just before the bytes leave
 *   treasury room ◀── listener(event) ─────────── treasury     outcomes and own events, in order, one callback
 *   resolver ── query.* ──▶ Promise<Reading>                 the only promises
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

/** Amounts are decimal text above zero. */
export interface MoneyContents {
  readonly transfer: {
    readonly from: AccountType;
    readonly to: AccountType;
    readonly currency: string;
    readonly amount: string;
  };
  /** Debits `funding`. Only the answer holds the code. */
  readonly codeCreate: {
    readonly currency: string;
    readonly amount: string;
    /** Only this login may redeem it. */
    readonly recipient?: string;
    readonly comment?: string;
  };
  /** Redeems `secrets.code`; credits `funding`. */
  readonly codeRedeem: object;
  /** Debits `funding`. `secrets.auth2faCode` if required. */
  readonly withdraw: {
    readonly currency: string;
    readonly network: string;
    readonly address: string;
    readonly memo?: string;
    readonly amount: string;
  };
  readonly cancelWithdrawal: { readonly transactionId: string };
  /** A draft; `secrets.details` by payment method. */
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
  /** As a taker; base. */
  readonly respond: AdvertisementId & { readonly amount: string; readonly paymentMethodId: string };
  /** Maker, within 10 minutes. */
  readonly startTrade: TradeId;
  /** Buyer. */
  readonly payTrade: TradeId;
  /** Seller; irrevocable. */
  readonly confirmTrade: TradeId;
  readonly disputeTrade: TradeId & { readonly reason: string };
  readonly cancelTrade: TradeId;
  /** A manual perpetual order. Its client id is local and does not prevent doubles. */
  readonly futuresOrder: Omit<OrderRequest, 'market'>;
  /** At market; default quantity: all. No client order id. */
  readonly futuresClose: {
    readonly symbol: string;
    readonly positionSide: PositionSide;
    readonly quantity?: string;
  };
}

export type MoneyKind = keyof MoneyContents;

export type MoneyRequest<K extends MoneyKind = MoneyKind> = {
  [P in K]: { readonly kind: P } & MoneyContents[P];
}[K];

/** Never journalled or logged. */
export interface MoneySecrets {
  readonly code?: string;
  readonly auth2faCode?: string;
  /** Fiat account numbers and the like. */
  readonly details?: string | Readonly<Record<string, string>>;
}

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
  /** Unique for ever; outcomes carry it. */
  readonly intentId: string;
  readonly lane: Lane;
  readonly request: MoneyRequest<K>;
  readonly secrets?: MoneySecrets;
}

export type TreasuryEvent =
  /** The value is that of `MoneyAnswers`. */
  | {
      readonly kind: 'outcome';
      readonly intentId: string;
      readonly outcome: MoneyOutcome<MoneyAnswers[MoneyKind]>;
    }
  /** `whole`: all currencies and accounts; else changed rows. */
  | { readonly kind: 'balances'; readonly balances: readonly Balance[]; readonly whole: boolean }
  /** `whole`: all own ones of every listed status. */
  | { readonly kind: 'advertisements'; readonly advertisements: readonly Advertisement[]; readonly whole: boolean }
  | { readonly kind: 'trades'; readonly trades: readonly P2pTrade[]; readonly whole: boolean }
  | { readonly kind: 'markets'; readonly markets: readonly P2pMarket[] }
  | { readonly kind: 'profile'; readonly user: P2pUser };

/** Pages to the end before `complete`. Never rejects. */
export interface TreasuryQueries {
  balances(): Promise<Reading<Balance>>;
  /** From `from` (Unix ms), newest first. */
  transactions(from: number): Promise<Reading<TransactionRow>>;
  /** Redeemed ones too. */
  codes(): Promise<Reading<CodeRow>>;
  routes(): Promise<Reading<TransferRoute>>;
  /** Of every status. */
  advertisements(): Promise<Reading<Advertisement>>;
  /** Maker and taker. */
  trades(): Promise<Reading<P2pTrade>>;
  p2pMarkets(): Promise<Reading<P2pMarket>>;
  paymentMethods(): Promise<Reading<PaymentMethod>>;
  /** One item. */
  p2pProfile(): Promise<Reading<P2pUser>>;
  /** All active, and history created from `from` (Unix ms). */
  futuresOrders(from: number): Promise<Reading<OrderReport>>;
  futuresTrades(from: number): Promise<Reading<VenueFill>>;
  positions(): Promise<Reading<VenuePosition>>;
}

export interface Treasury {
  readonly query: TreasuryQueries;
  /** Exactly one listener, before `start`. */
  listen(listener: (event: TreasuryEvent) => void): void;
  /** One outcome event, never inside this call. */
  send(command: TreasuryCommand, onDispatch: OnDispatch): void;
  start(): void;
  stop(): Promise<void>;
}
