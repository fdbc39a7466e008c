/** Areas that move money without orders. */
import type { AccountType } from '../../../model/trading/account.ts';
import type { Decimal } from '../../../model/numbers/money.ts';
import { DepositAddresses } from './addresses.ts';
import type { Assumed } from '../assumptions.ts';
import { Codes } from './codes.ts';
import { FiatApplications } from './fiat-applications.ts';
import type { MoneyPorts } from './money-ports.ts';
import { currencyNetworks, type CurrencyNetwork } from './networks.ts';
import { IdSequence } from '../orders/order-flow.ts';
import { Overdrafts } from './overdrafts.ts';
import { P2p } from '../p2p/p2p.ts';
import type { P2pPorts } from '../p2p/p2p-parts.ts';
import { Referrals } from './referrals.ts';
import type { Charge } from '../orders/settlement.ts';
import { Transactions } from './transactions.ts';
import { Transfers } from './transfers.ts';
import { Withdrawals } from './withdrawals.ts';

export interface MoneyAreasPorts extends Omit<P2pPorts, 'transactions'> {
  /** Unrealised cross loss, zero or above. */
  readonly lossOf: (userId: string, currency: string) => Decimal;
}

export class MoneyAreas {
  readonly transactions: Transactions;
  readonly referrals: Referrals;
  readonly overdrafts: Overdrafts;
  readonly transfers: Transfers;
  readonly codes: Codes;
  readonly networks: Assumed['crypto']['networks'];
  readonly currencyNetworks: readonly CurrencyNetwork[];
  readonly addresses: DepositAddresses;
  readonly withdrawals: Withdrawals;
  readonly fiat: FiatApplications;
  readonly p2p: P2p;
  readonly #ports: MoneyPorts;

  constructor({ lossOf, ...given }: MoneyAreasPorts) {
    this.transactions = new Transactions(new IdSequence(given.startMs), given.assumed.historyMax);
    const ports = { ...given, transactions: this.transactions };
    this.#ports = ports;
    this.referrals = new Referrals(ports);
    this.overdrafts = new Overdrafts(ports);
    this.transfers = new Transfers({ ...ports, overdrafts: this.overdrafts, lossOf });
    this.codes = new Codes(ports);
    const { crypto } = ports.assumed;
    this.networks = crypto.networks;
    this.currencyNetworks = currencyNetworks(crypto);
    this.addresses = new DepositAddresses(crypto.addressesMax);
    this.withdrawals = new Withdrawals({ ...ports, addresses: this.addresses });
    this.fiat = new FiatApplications(ports);
    this.p2p = new P2p(ports);
  }

  /** For tests. */
  mint(userId: string, account: AccountType, currency: string, amount: Decimal, now: number): void {
    this.#ports.accounts.pocket(userId, account, currency).receive(amount, 'outside');
    this.transactions.complete(userId, { type: 'deposit', currency, amount, account }, now);
  }

  /** The fee is in the fee account. */
  onTradeFee(userId: string, { amount: fee, currency }: Charge, now: number): void {
    if (fee.lte(0)) return;
    const entry = { type: 'trade_fee', currency, amount: fee, account: 'unified-trading' } as const;
    this.transactions.complete(userId, entry, now);
    this.referrals.onFee(userId, currency, fee, now);
  }
}
