/** Deposit addresses and withdrawals. */
import type { Lane } from '../../../model/ports.ts';
import {
  cryptoAddressSchema,
  withdrawalCurrencySchema,
  type CryptoAddress,
  type WithdrawalCurrency,
} from '../../wire/money/crypto.ts';
import { readList, readObject, type Answer } from './answer.ts';
import { sendMoney, type MoneyPorts, type OnMoneyOutcome } from './money.ts';
import type { Dispatch } from './orders.ts';

export interface CryptoOperations {
  /** `exchange_refused` with `no_address` before one is issued. */
  address(currency: string, network: string): Promise<Answer<CryptoAddress>>;
  newAddress(currency: string, network: string, dispatch: Dispatch, done: OnMoneyOutcome<CryptoAddress>): void;
  currencies(): Promise<Answer<readonly WithdrawalCurrency[]>>;
}

export function createCryptoOperations(ports: MoneyPorts, lane: Lane): CryptoOperations {
  const { http } = ports;
  return Object.freeze({
    address: (currency: string, network: string) =>
      readObject(http, { endpoint: 'cryptoAddress', lane, query: { currency, network } }, cryptoAddressSchema, {
        currency,
        network,
      }),
    newAddress(currency: string, network: string, dispatch: Dispatch, done: OnMoneyOutcome<CryptoAddress>) {
      const body = { currency, network };
      const call = { endpoint: 'newCryptoAddress', body, schema: cryptoAddressSchema, repeats: body } as const;
      sendMoney(ports, call, dispatch, done);
    },
    currencies: () => readList(http, { endpoint: 'withdrawalCurrencies', lane }, withdrawalCurrencySchema),
  });
}
