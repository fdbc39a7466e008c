/** Deposit addresses, networks, crypto withdrawals. */
import { decimalText } from '../../model/numbers/money.ts';
import type { DepositAddress } from '../core/money/addresses.ts';
import { pageLimit } from '../core/history.ts';
import type { CurrencyNetwork } from '../core/money/networks.ts';
import type { Refusal } from '../core/refusal.ts';
import { withdrawalBody } from '../core/money/withdrawals.ts';
import { BadRequest, type Fields } from '../fields.ts';
import { notFoundReply } from '../reply.ts';
import { readAmount, readCurrency } from './money.ts';
import { answer, ok, type PrivateRequest, type PrivateRoutes } from './route.ts';

const PRINTABLE = /^[\x21-\x7e]{4,128}$/;

function readNetwork({ exchange }: PrivateRequest, fields: Fields): CurrencyNetwork {
  const { currency } = readCurrency(fields);
  const name = fields.text('network');
  const row = exchange.money.currencyNetworks.find((each) => each.currency === currency && each.network === name);
  if (row === undefined) throw new BadRequest(`${currency} has no network ${name}`, 'network');
  return row;
}

function addressBody({ currency, network, address, memo }: DepositAddress): object {
  return { currency, network, address, memo };
}

/** Optional, but right if present. */
function doubtSecondFactor({ exchange, user, body, now }: PrivateRequest): Refusal | undefined {
  if (!body.has('auth2fa_code')) return undefined;
  return exchange.identity.secondFactor.check(user, body.text('auth2fa_code'), now);
}

export const cryptoRoutes: PrivateRoutes = {
  cryptoAddress: (request) => {
    const { exchange, user, query } = request;
    return answer(exchange.money.addresses.latest(user.userId, readNetwork(request, query)), addressBody);
  },

  newCryptoAddress: (request) => {
    const { shell, exchange, user, body } = request;
    const row = readNetwork(request, body);
    return answer(exchange.money.addresses.issue(user.userId, row, shell.randomHex()), addressBody);
  },

  withdrawalCurrencies: ({ exchange }) => {
    const byCurrency = Map.groupBy(exchange.money.currencyNetworks, (row) => row.currency);
    return ok(
      [...byCurrency].map(([currency, rows]) => ({
        currency,
        networks: rows.map(({ network, minAmount, fee, confirmations }) => ({
          network,
          minAmount: decimalText(minAmount),
          fee: decimalText(fee),
          confirmations,
        })),
      })),
    );
  },

  networks: ({ exchange, query }) => {
    const limit = pageLimit(query.optionalInteger('limit', 1, Number.MAX_SAFE_INTEGER));
    const items = exchange.money.networks.slice(0, limit).map(({ network, title }) => ({ network, title }));
    return ok({ items, nextCursor: null });
  },

  createWithdrawal: (request) => {
    const { exchange, user, body, now } = request;
    const route = readNetwork(request, body);
    const address = body.text('address');
    if (!PRINTABLE.test(address)) throw new BadRequest('address must be 4 to 128 printable characters', 'address');
    const wanted = { route, address, memo: body.optionalText('memo'), amount: readAmount(body, readCurrency(body)) };
    return (
      doubtSecondFactor(request) ?? answer(exchange.money.withdrawals.submit(user.userId, wanted, now), withdrawalBody)
    );
  },

  cancelWithdrawal: ({ exchange, user, params, now }) => {
    const transactionId = params['transactionId'] ?? '';
    const withdrawal = exchange.money.withdrawals.cancel(user.userId, transactionId, now);
    if (withdrawal === undefined) return notFoundReply(`there is no withdrawal ${transactionId}`);
    return answer(withdrawal, withdrawalBody);
  },
};
