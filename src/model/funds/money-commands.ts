/** Commands that move money without a bot's order: what each kind asks for and answers. Sent by `Venue.send`. */
import type { AccountType } from '../trading/account.ts';
import type {
  CanceledWithdrawal,
  CodeRow,
  CryptoWithdrawal,
  FiatApplication,
  MovedFiatApplication,
  NewCode,
  OverdraftLoan,
  Transfer,
} from './money-records.ts';
import type { OrderReport, OrderRequest, PositionSide } from '../trading/order.ts';
import type { Advertisement, AdvertisementTerms, P2pTrade } from './p2p.ts';
import type { MoneyOutcome } from '../result.ts';

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
  /** A manual spot order. Its client id does not prevent doubles. */
  readonly spotOrder: Omit<OrderRequest, 'market' | 'positionSide' | 'reduceOnly'>;
  /** The same of a perpetual. */
  readonly futuresOrder: Omit<OrderRequest, 'market'>;
  /** At market; default quantity: all. No client order id. */
  readonly futuresClose: {
    readonly symbol: string;
    readonly positionSide: PositionSide;
    readonly quantity?: string;
  };
}

export type MoneyKind = keyof MoneyContents;

/** Sent as a `create`. */
export type OrderByHandKind = 'spotOrder' | 'futuresOrder';

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
  readonly spotOrder: OrderReport;
  readonly futuresOrder: OrderReport;
  readonly futuresClose: OrderReport;
}

export type AnyMoneyOutcome = MoneyOutcome<MoneyAnswers[MoneyKind]>;
