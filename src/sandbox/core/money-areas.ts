/**
 * Everything that moves money without an order, joined: transactions, referrals, overdrafts, transfers, codes, crypto,
 * fiat and P2P. `exchange.ts` holds one of these; routes call its areas. Pure: time is an argument.
 */
import type { AccountType } from '../../model/account.ts';
import { ZERO, type Decimal } from '../../model/money.ts';
import type { Accounts } from '../../clearing/accounts.ts';
import { DepositAddresses } from './addresses.ts';
import type { Assumed } from './assumptions.ts';
import { Codes } from './codes.ts';
import { FiatApplications } from './fiat-applications.ts';
import { ChainNetworks } from './networks.ts';
import { IdSequence } from './order-flow.ts';
import { Overdrafts } from './overdrafts.ts';
import { P2p } from './p2p/p2p.ts';
import type { SpreadOf } from '../../model/p2p-price-rule.ts';
import { Referrals } from './referrals.ts';
import type { Charge } from './settlement.ts';
import type { AccountTimers } from './timers.ts';
import { Transactions } from './transactions.ts';
import { Transfers } from './transfers.ts';
import { Withdrawals } from './withdrawals.ts';

export interface MoneyPorts {
  readonly accounts: Accounts;
  readonly timers: AccountTimers;
  readonly startMs: number;
  readonly spreadOf: SpreadOf;
  /** What the open cross positions of a user have lost so far, zero or above. */
  readonly lossOf: (userId: string, currency: string) => Decimal;
  readonly assumed: Assumed;
}

export class MoneyAreas {
  readonly transactions: Transactions;
  readonly referrals: Referrals;
  readonly overdrafts: Overdrafts;
  readonly transfers: Transfers;
  readonly codes: Codes;
  readonly chains: ChainNetworks;
  readonly addresses: DepositAddresses;
  readonly withdrawals: Withdrawals;
  readonly fiat: FiatApplications;
  readonly p2p: P2p;
  readonly #accounts: Accounts;

  constructor({ accounts, timers, startMs, spreadOf, lossOf, assumed }: MoneyPorts) {
    this.#accounts = accounts;
    const transactions = new Transactions(new IdSequence(startMs), assumed.historyMax);
    this.transactions = transactions;
    this.referrals = new Referrals(assumed.referralShare, accounts, transactions);
    this.overdrafts = new Overdrafts(assumed.overdraft, accounts, transactions, timers);
    this.transfers = new Transfers(accounts, this.overdrafts, transactions, lossOf);
    this.codes = new Codes(assumed.codesOpenMax, accounts, transactions);
    this.chains = new ChainNetworks(assumed.crypto);
    this.addresses = new DepositAddresses(this.chains, assumed.crypto.addressesMax);
    const { addresses, chains } = this;
    const terms = assumed.withdrawals;
    this.withdrawals = new Withdrawals({ terms, accounts, chains, addresses, transactions, timers });
    this.fiat = new FiatApplications(assumed.fiat, accounts, transactions, timers);
    this.p2p = new P2p({ terms: assumed.p2p, accounts, transactions, timers, startMs, spreadOf });
  }

  /** Money out of nothing, for tests: a deposit that is complete at once. */
  mint(userId: string, account: AccountType, currency: string, amount: Decimal, now: number): void {
    this.#accounts.pocket(userId, account, currency).receive(amount, 'outside');
    const entry = { type: 'deposit', status: 'completed', currency, amount, fee: ZERO, account } as const;
    this.transactions.add(userId, entry, now);
  }

  /** A user paid a fee for a trade; it lies in the fee account by now. */
  onTradeFee(userId: string, { amount: fee, currency }: Charge, now: number): void {
    if (fee.lte(0)) return;
    const account = 'unified-trading';
    const entry = { type: 'trade_fee', status: 'completed', currency, amount: fee, fee: ZERO, account } as const;
    this.transactions.add(userId, entry, now);
    this.referrals.onFee(userId, currency, fee, now);
  }
}
