/**
 * Deposit addresses and crypto withdrawals over REST. A withdrawal's progress is in the transaction history; it can be
 * canceled before processing only. After an unknown outcome the history tells whether it exists.
 */
import type { Lane } from '../../../model/ports.ts';
import {
  canceledWithdrawalSchema,
  cryptoAddressSchema,
  withdrawalCurrencySchema,
  withdrawalSchema,
  type CanceledWithdrawal,
  type CryptoAddress,
  type CryptoWithdrawal,
  type WithdrawalCurrency,
} from '../../wire/crypto.ts';
import { readList, readObject, type Answer } from './answer.ts';
import { checkedAmount, invalidField, sendMoney, type MoneyPorts, type OnMoneyOutcome } from './money.ts';
import type { Dispatch } from './orders.ts';

export interface WithdrawalRequest {
  readonly currency: string;
  readonly network: string;
  readonly address: string;
  readonly memo?: string;
  /** Decimal text above zero, without the fee; both are debited from `funding`. */
  readonly amount: string;
  readonly auth2faCode?: string;
}

export interface CryptoOperations {
  /** The latest issued address. Before one is issued: `exchange_refused` with code `no_address`. */
  address(currency: string, network: string): Promise<Answer<CryptoAddress>>;
  newAddress(currency: string, network: string, dispatch: Dispatch, done: OnMoneyOutcome<CryptoAddress>): void;
  currencies(): Promise<Answer<readonly WithdrawalCurrency[]>>;
  /** Refusals: `below_minimum`, `insufficient_balance`, `two_factor_invalid`, `limit_reached`. */
  withdraw(request: WithdrawalRequest, dispatch: Dispatch, done: OnMoneyOutcome<CryptoWithdrawal>): void;
  /** Refusals: `already_processing`, `illegal_transition`, `not_owner`. */
  cancelWithdrawal(transactionId: string, dispatch: Dispatch, done: OnMoneyOutcome<CanceledWithdrawal>): void;
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
    withdraw(request: WithdrawalRequest, dispatch: Dispatch, done: OnMoneyOutcome<CryptoWithdrawal>) {
      const { currency, network, address, memo, auth2faCode } = request;
      const { amount, invalid } = checkedAmount(request.amount);
      const body = { currency, network, address, memo, amount, auth2fa_code: auth2faCode };
      const call = {
        endpoint: 'createWithdrawal',
        body,
        schema: withdrawalSchema,
        // Not the address: services write it in other capitals.
        repeats: { currency, network, amount },
        invalid: address === '' ? invalidField('address', 'the address is empty') : invalid,
      } as const;
      sendMoney(ports, call, dispatch, done);
    },
    cancelWithdrawal(transactionId: string, dispatch: Dispatch, done: OnMoneyOutcome<CanceledWithdrawal>) {
      const call = {
        endpoint: 'cancelWithdrawal',
        params: { transactionId },
        schema: canceledWithdrawalSchema,
        repeats: { transactionId, status: 'canceled' },
      } as const;
      sendMoney(ports, call, dispatch, done);
    },
  });
}
