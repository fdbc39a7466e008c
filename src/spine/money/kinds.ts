/**
 * Properties of each kind of money command. Its request is in `exchange/client/operations/money-commands.ts`, its proof
 * in `treasury/proofs.ts`.
 */
import type { AccountType } from '../../model/trading/account.ts';
import { dec, type Decimal } from '../../model/numbers/money.ts';
import type { Lane } from '../../model/ports.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest } from '../../model/funds/money-commands.ts';
import { TRADING_ACCOUNT } from '../balances.ts';

interface KindFacts<K extends MoneyKind> {
  /** Field of the answer that holds the venue's id; null: none. */
  readonly id: (keyof MoneyAnswers[K] & string) | null;
  /** Default `create`. */
  readonly lane?: Lane;
  /**
   * `reduces`: cancels or closes; allowed after a loss of rows. `retreats`: withdraws an offer; never held back.
   * `offers`: publishes one.
   */
  readonly effect?: 'reduces' | 'retreats' | 'offers';
  /** Its request or answer contains a code, which an error message may repeat. */
  readonly isSecret?: true;
  /** Accounts whose totals it changes. */
  readonly accounts?: readonly AccountType[];
  /** It locks what it takes, and the total changes later. */
  readonly locks?: true;
}

type KindTable = { readonly [K in MoneyKind]: KindFacts<K> };

const table: KindTable = {
  transfer: { id: 'transferId' },
  codeCreate: { id: 'codeId', isSecret: true, accounts: ['funding'] },
  codeRedeem: { id: 'codeId', isSecret: true, accounts: ['funding'] },
  withdraw: { id: 'transactionId', accounts: ['funding'], locks: true },
  cancelWithdrawal: { id: 'transactionId', effect: 'reduces' },
  fiatCreate: { id: 'applicationId' },
  fiatSubmit: { id: 'applicationId', accounts: ['funding'], locks: true },
  fiatConfirm: { id: 'applicationId' },
  fiatDelete: { id: 'applicationId', effect: 'reduces' },
  overdraftPay: { id: null, accounts: ['unified-trading', 'overdraft'] },
  advertise: { id: 'advertisementId', effect: 'offers' },
  editAdvertisement: { id: 'advertisementId', effect: 'offers' },
  activateAdvertisement: { id: 'advertisementId', effect: 'offers' },
  deactivateAdvertisement: { id: 'advertisementId', lane: 'cancel', effect: 'retreats' },
  deleteAdvertisement: { id: 'advertisementId', effect: 'retreats' },
  respond: { id: 'tradeId' },
  startTrade: { id: 'tradeId' },
  payTrade: { id: 'tradeId' },
  confirmTrade: { id: 'tradeId' },
  disputeTrade: { id: 'tradeId' },
  cancelTrade: { id: 'tradeId', lane: 'cancel', effect: 'retreats' },
  spotOrder: { id: 'orderId', accounts: ['unified-trading'] },
  futuresOrder: { id: 'orderId' },
  futuresClose: { id: 'orderId', lane: 'reduce', effect: 'reduces' },
};

export function factsOf<K extends MoneyKind>(kind: K): KindFacts<K> {
  const rows: KindTable = table;
  return rows[kind];
}

export function laneOf(request: MoneyRequest): Lane {
  if (request.kind === 'futuresOrder' && request.reduceOnly === true) return 'reduce';
  return table[request.kind].lane ?? 'create';
}

export function isRetreat({ kind }: MoneyRequest): boolean {
  return table[kind].effect === 'retreats';
}

export function isOffer({ kind }: MoneyRequest): boolean {
  return table[kind].effect === 'offers';
}

export function isReduction({ kind }: MoneyRequest): boolean {
  const { effect } = table[kind];
  return effect === 'reduces' || effect === 'retreats';
}

/** It ends or hides something that exists: once more it changes nothing. */
export function isCancellation(request: MoneyRequest): boolean {
  return isReduction(request) && !isOrder(request);
}

/** Its id is an order's id. */
export function isOrder({ kind }: MoneyRequest): boolean {
  return kind === 'spotOrder' || kind === 'futuresOrder' || kind === 'futuresClose';
}

/** The venue closes no more than the open quantity. */
export function isHarmlessTwice(request: MoneyRequest): boolean {
  return request.kind === 'futuresClose' && request.quantity === undefined;
}

export function accountsOf(request: MoneyRequest): readonly AccountType[] {
  if (request.kind !== 'transfer') return table[request.kind].accounts ?? [];
  // Borrowing changes no total of `overdraft`: it has a credit line.
  return [request.from, request.to].filter((account) => account !== 'overdraft');
}

/** What a transfer adds to the trading account, negative when it takes; null when not involved. */
export function tradingFlowOf(request: MoneyRequest): { readonly currency: string; readonly amount: Decimal } | null {
  if (request.kind !== 'transfer' || request.from === request.to) return null;
  const { from, to, currency } = request;
  const amount = dec(request.amount);
  if (to === TRADING_ACCOUNT) return { currency, amount };
  return from === TRADING_ACCOUNT ? { currency, amount: amount.neg() } : null;
}
