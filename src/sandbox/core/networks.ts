/**
 * Networks of the simulated chains, and what each currency costs on them, as data (wire profile, "Sandbox contract": the
 * first USDT network has minAmount + fee <= 20). Read by addresses, withdrawals and deposits.
 */
import { dec, type Decimal } from '../../model/money.ts';

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

// prettier-ignore
export const networks: readonly Network[] = [
  { network: 'BTC', title: 'Bitcoin', addressPrefix: 'bc1q', addressDigits: 38, usesMemo: false, blockMs: 600_000 },
  { network: 'ERC20', title: 'Ethereum', addressPrefix: '0x', addressDigits: 40, usesMemo: false, blockMs: 12_000 },
  { network: 'TRC20', title: 'Tron', addressPrefix: 'T', addressDigits: 33, usesMemo: false, blockMs: 3_000 },
  { network: 'TON', title: 'The Open Network', addressPrefix: 'UQ', addressDigits: 46, usesMemo: true, blockMs: 5_000 },
];

// prettier-ignore
export const currencyNetworks: readonly CurrencyNetwork[] = [
  { currency: 'USDT', network: 'TRC20', minAmount: dec('10'), fee: dec('1'), confirmations: 20 },
  { currency: 'USDT', network: 'ERC20', minAmount: dec('20'), fee: dec('5'), confirmations: 12 },
  { currency: 'USDT', network: 'TON', minAmount: dec('5'), fee: dec('0.5'), confirmations: 10 },
  { currency: 'BTC', network: 'BTC', minAmount: dec('0.001'), fee: dec('0.0001'), confirmations: 2 },
  { currency: 'ETH', network: 'ERC20', minAmount: dec('0.01'), fee: dec('0.001'), confirmations: 12 },
];

export function networkOf({ network }: CurrencyNetwork): Network {
  const found = networks.find((row) => row.network === network);
  if (found === undefined) throw new RangeError(`no network ${network}`);
  return found;
}

/** From the block that holds a payment until it counts. */
export function confirmationMs(row: CurrencyNetwork): number {
  return row.confirmations * networkOf(row).blockMs;
}
