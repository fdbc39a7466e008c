/**
 * Networks of the simulated chains, and what each currency costs on them (wire profile, "Sandbox contract": the first
 * USDT network has minAmount + fee <= 20). Read by addresses, withdrawals and deposits.
 */
import { dec, type Decimal } from '../../model/money.ts';
import type { Assumed } from './assumptions.ts';

export type Network = Assumed['crypto']['networks'][number];

export interface CurrencyNetwork extends Omit<Assumed['crypto']['currencies'][number], 'minAmount' | 'fee'> {
  readonly minAmount: Decimal;
  readonly fee: Decimal;
}

export class ChainNetworks {
  readonly networks: readonly Network[];
  readonly currencies: readonly CurrencyNetwork[];

  constructor({ networks, currencies }: Assumed['crypto']) {
    this.networks = networks;
    this.currencies = currencies.map((row) => ({ ...row, minAmount: dec(row.minAmount), fee: dec(row.fee) }));
  }

  of({ network }: CurrencyNetwork): Network {
    const found = this.networks.find((row) => row.network === network);
    if (found === undefined) throw new RangeError(`no network ${network}`);
    return found;
  }

  /** From the block that holds a payment until it counts. */
  confirmationMs(row: CurrencyNetwork): number {
    return row.confirmations * this.of(row).blockMs;
  }
}
