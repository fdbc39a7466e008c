/** Balances, fees, transfers, transaction history, referral program, assets (docs/interface.md). */
import { transactionStatuses, transactionTypes } from '../../exchange/interface/states.ts';
import { decimalText } from '../../model/numbers/money.ts';
import { accountTypes } from '../../clearing/accounts.ts';
import { currencies } from '../core/market/instruments.ts';
import { referralLinkId } from '../core/money/referrals.ts';
import { refuse } from '../core/refusal.ts';
import { transactionBody } from '../core/money/transactions.ts';
import { notFoundReply } from '../reply.ts';
import { readCurrency, readInnerAmount } from './money.ts';
import { answer, ok, okPage, readPage, type PrivateRoutes } from './route.ts';

export const accountRoutes: PrivateRoutes = {
  balances: ({ exchange, user }) => ok(exchange.accounts.rows(user.userId)),

  fees: ({ exchange: { markets }, user, query }) => {
    const symbol = query.optionalText('symbol');
    if (symbol !== undefined && !markets.has(symbol)) {
      return refuse('unknown_symbol', `there is no instrument ${symbol}`, 'symbol');
    }
    const { maker, taker } = user.trader.fees;
    const symbols = symbol === undefined ? [...markets.keys()] : [symbol];
    return ok(symbols.map((each) => ({ symbol: each, maker: decimalText(maker), taker: decimalText(taker) })));
  },

  assets: () => ok(currencies),

  transferRoutes: ({ exchange }) => ok(exchange.money.transfers.routes),

  transfer: ({ exchange, user, body, now }) => {
    const { currency } = readCurrency(body);
    const request = {
      from: body.oneOf('from', accountTypes),
      to: body.oneOf('to', accountTypes),
      currency,
      amount: readInnerAmount(body),
    };
    const transfer = exchange.money.transfers.transfer(user.userId, request, now);
    return answer(transfer, ({ transactionId: transferId, amount, createdAt }) => {
      const { from, to } = request;
      return { transferId, from, to, currency, amount: decimalText(amount), createdAt };
    });
  },

  transactions: ({ exchange, user, query }) => {
    const filter = {
      type: query.optionalOneOf('type', transactionTypes),
      status: query.optionalOneOf('status', transactionStatuses),
    };
    return okPage(exchange.money.transactions.list(user.userId, filter, readPage(query)), transactionBody);
  },

  referralLink: ({ user }) => {
    const linkId = referralLinkId(user.userId);
    return ok({ linkId, url: `https://sandbox.invalid/invite/${linkId}` });
  },

  referralReward: ({ exchange, user, params }) => {
    const linkId = params['linkId'] ?? '';
    const owner = exchange.users
      .map(({ login }) => exchange.identity.userByLogin(login))
      .find((each) => each !== undefined && referralLinkId(each.userId) === linkId);
    if (owner === undefined) return notFoundReply(`there is no referral link ${linkId}`);
    if (owner !== user) return refuse('not_owner', `link ${linkId} belongs to another user`, 'linkId');
    const rewards = exchange.accounts
      .rows(owner.userId)
      .filter(({ account, total }) => account === 'referral-program' && total !== '0')
      .map(({ currency, total: amount }) => ({ currency, amount }));
    return ok({ linkId, rewards });
  },
};
