/**
 * Networks of the simulated chains, and what each currency costs on them (wire profile, "Sandbox contract": the first
 * USDT network has minAmount + fee <= 20). Read by addresses, withdrawals and deposits.
 */
import { dec, type Decimal } from '../../model/money.ts';
import type { Assumed } from './assumptions.ts';

export interface Network {
  readonly network: string;
  readonly title: string;
  readonly addressPrefix: string;
  readonly addressDigits: number;
  /** One address for all users, told apart by a memo. */
  readonly usesMemo: boolean;
  readonly blockMs: number;
}

export interface CurrencyNetwork {
  readonly currency: string;
  readonly network: string;
  /** Of a withdrawal, without the fee. */
  readonly minAmount: Decimal;
  /** Paid on top of the amount, in the same currency. */
  readonly fee: Decimal;
  /** Blocks until a deposit counts. */
  readonly confirmations: number;
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
