/**
 * Deposit addresses, networks and crypto withdrawals (interface, "Endpoints"; wire profile, "assumed bodies of the
 * documented money operations").
 */
import { decimalText } from '../../model/money.ts';
import type { DepositAddress } from '../core/addresses.ts';
import { pageLimit } from '../core/history.ts';
import type { CurrencyNetwork } from '../core/networks.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import { withdrawalBody } from '../core/withdrawals.ts';
import { BadRequest, type Fields } from '../fields.ts';
import { nothingFound, readAmount, readCurrency } from './money.ts';
import { ok, type PrivateRequest, type PrivateRoutes, type RouteAnswer } from './route.ts';

const PRINTABLE = /^[\x21-\x7e]{4,128}$/;

function readNetwork({ shell }: PrivateRequest, fields: Fields): CurrencyNetwork {
  const { currency } = readCurrency(fields);
  const name = fields.text('network');
  const row = shell.exchange.money.chains.currencies.find(
    (each) => each.currency === currency && each.network === name,
  );
  if (row === undefined) throw new BadRequest(`${currency} has no network ${name}`, 'network');
  return row;
}

function addressAnswer(found: DepositAddress | Refusal): RouteAnswer {
  if (isRefusal(found)) return found;
  const { currency, network, address, memo } = found;
  return ok({ currency, network, address, ...(memo === undefined ? {} : { memo }) });
}

/** A withdrawal may carry a second factor; when it does, it has to be right. */
function doubtSecondFactor({ shell, caller, body, now }: PrivateRequest): Refusal | undefined {
  if (!body.has('auth2fa_code')) return undefined;
  return shell.exchange.identity.checkSecondFactor(caller.user, body.text('auth2fa_code'), now);
}

export const cryptoRoutes: PrivateRoutes = {
  cryptoAddress: (request) => {
    const { shell, caller, query } = request;
    return addressAnswer(shell.exchange.money.addresses.latest(caller.user.userId, readNetwork(request, query)));
  },

  newCryptoAddress: (request) => {
    const { shell, caller, body } = request;
    const row = readNetwork(request, body);
    return addressAnswer(shell.exchange.money.addresses.issue(caller.user.userId, row, shell.randomHex()));
  },

  withdrawalCurrencies: ({ shell }) => {
    const byCurrency = Map.groupBy(shell.exchange.money.chains.currencies, (row) => row.currency);
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

  networks: ({ shell, query }) => {
    const limit = pageLimit(query.optionalInteger('limit', 1, Number.MAX_SAFE_INTEGER));
    const items = shell.exchange.money.chains.networks
      .slice(0, limit)
      .map(({ network, title }) => ({ network, title }));
    return ok({ items, nextCursor: null });
  },

  createWithdrawal: (request) => {
    const { shell, caller, body, now } = request;
    const route = readNetwork(request, body);
    const address = body.text('address');
    if (!PRINTABLE.test(address)) throw new BadRequest('address must be 4 to 128 printable characters', 'address');
    const wanted = { route, address, memo: body.optionalText('memo'), amount: readAmount(body, readCurrency(body)) };
    const refusal = doubtSecondFactor(request);
    if (refusal !== undefined) return refusal;
    const withdrawal = shell.exchange.money.withdrawals.submit(caller.user.userId, wanted, now);
    return isRefusal(withdrawal) ? withdrawal : ok(withdrawalBody(withdrawal));
  },

  cancelWithdrawal: ({ shell, caller, params, now }) => {
    const transactionId = params['transactionId'] ?? '';
    const withdrawal = shell.exchange.money.withdrawals.cancel(caller.user.userId, transactionId, now);
    if (withdrawal === undefined) return nothingFound(`there is no withdrawal ${transactionId}`);
    return isRefusal(withdrawal) ? withdrawal : ok(withdrawalBody(withdrawal));
  },
};
