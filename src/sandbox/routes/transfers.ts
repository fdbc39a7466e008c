/**
 * Transfers, the transaction history and the referral program (interface, "Endpoints"; wire profile, "assumed bodies
 * of the documented money operations").
 */
import { transactionStatuses, transactionTypes } from '../../exchange/interface/states.ts';
import { decimalText } from '../../model/money.ts';
import { accountTypes } from '../../clearing/accounts.ts';
import { referralLinkId } from '../core/referrals.ts';
import { isRefusal, refuse } from '../core/refusal.ts';
import { transactionBody } from '../core/transactions.ts';
import { nothingFound, readCurrency, readInnerAmount } from './money.ts';
import { ok, readPage, type PrivateRoutes } from './route.ts';

export const transferAreaRoutes: PrivateRoutes = {
  transferRoutes: ({ shell }) => ok(shell.exchange.money.transfers.routes),

  transfer: ({ shell, caller, body, now }) => {
    const { currency } = readCurrency(body);
    const request = {
      from: body.oneOf('from', accountTypes),
      to: body.oneOf('to', accountTypes),
      currency,
      amount: readInnerAmount(body),
    };
    const transfer = shell.exchange.money.transfers.transfer(caller.user.userId, request, now);
    if (isRefusal(transfer)) return transfer;
    const { transactionId: transferId, amount, createdAt } = transfer;
    return ok({ transferId, from: request.from, to: request.to, currency, amount: decimalText(amount), createdAt });
  },

  transactions: ({ shell, caller, query }) => {
    const filter = {
      type: query.optionalOneOf('type', transactionTypes),
      status: query.optionalOneOf('status', transactionStatuses),
    };
    const page = shell.exchange.money.transactions.list(caller.user.userId, filter, readPage(query));
    return ok({ items: page.items.map(transactionBody), nextCursor: page.nextCursor });
  },

  referralLink: ({ caller }) => {
    const linkId = referralLinkId(caller.user.userId);
    return ok({ linkId, url: `https://sandbox.invalid/invite/${linkId}` });
  },

  referralReward: ({ shell, caller, params }) => {
    const linkId = params['linkId'] ?? '';
    const { accounts, identity } = shell.exchange;
    const owner = shell.exchange.users
      .map(({ login }) => identity.userByLogin(login))
      .find((user) => user !== undefined && referralLinkId(user.userId) === linkId);
    if (owner === undefined) return nothingFound(`there is no referral link ${linkId}`);
    if (owner !== caller.user) return refuse('not_owner', `link ${linkId} belongs to another user`, 'linkId');
    const rewards = accounts
      .rows(owner.userId)
      .filter(({ account, total }) => account === 'referral-program' && total !== '0')
      .map(({ currency, total: amount }) => ({ currency, amount }));
    return ok({ linkId, rewards });
  },
};
