/** Advertisements and P2P trades in the model, and their lines as REST and events tell them. */
import { amountText, type Amount } from './amount.ts';
import { lineOf } from './mismatch.ts';
import type { Person } from './world.ts';

export const MARKET = 'USDTRUB';
export const BASE_PLACES = 4;
export const QUOTE_PLACES = 2;
const PRICE_PLACES = 4;

export interface Advertisement {
  readonly id: string;
  readonly maker: Person;
  readonly side: 'buy' | 'sell';
  readonly createdAt: number;
  price: Amount;
  minLimit: Amount;
  maxLimit: Amount;
  methods: readonly string[];
  available: Amount;
  /** How often the amount was set. */
  offers: number;
  status: 'active' | 'deactivated' | 'canceled' | 'completed';
}

export interface Trade {
  readonly id: string;
  readonly advertisement: Advertisement;
  readonly offer: number;
  readonly taker: Person;
  readonly buyer: Person;
  readonly seller: Person;
  readonly base: Amount;
  readonly quote: Amount;
  readonly price: Amount;
  readonly method: string;
  readonly createdAt: number;
  updatedAt: number;
  status: string;
  cancelStep: () => void;
}

export function tradeLine(trade: Trade): string {
  const { id, advertisement, taker, buyer, seller, base, quote, price, method, status } = trade;
  const crypto = [scaled(base, BASE_PLACES), 'USDT'] as const;
  const fiat = [scaled(quote, QUOTE_PLACES), 'RUB'] as const;
  const [received, sent] = taker === buyer ? [crypto, fiat] : [fiat, crypto];
  return lineOf({
    id,
    volume: received[0],
    volumeCurrencyId: received[1],
    amount: sent[0],
    amountCurrencyId: sent[1],
    price: scaled(price, PRICE_PLACES),
    status,
    sellUserId: seller.userId,
    buyUserId: buyer.userId,
    advertisementId: advertisement.id,
    marketId: MARKET,
    paymentMethodId: method,
    createdAt: new Date(trade.createdAt).toISOString(),
    updatedAt: new Date(trade.updatedAt).toISOString(),
  });
}

export function advertisementFacts(row: unknown): string {
  const { id, side, status, price, minLimit, maxLimit, availableAmount, createdAt, paymentMethods, trades } = row as {
    readonly paymentMethods: readonly { readonly id: string }[];
    readonly trades: readonly { readonly id: string; readonly status: string }[];
  } & Readonly<Record<string, unknown>>;
  const methods = paymentMethods.map((method) => method.id).join();
  const states = trades.map((trade) => `${trade.id} ${trade.status}`).join();
  return lineOf({ id, side, status, price, minLimit, maxLimit, availableAmount, createdAt, methods, states });
}

function scaled(value: Amount, places: number): string {
  return amountText(value * 10n ** BigInt(places));
}
