/** Code routes. Only creation and `full` show the secret, to the creator alone. */
import { BadRequest } from '../fields.ts';
import { codeBody, type Code } from '../core/money/codes.ts';
import type { User } from '../core/identity/users.ts';
import { pageOf } from '../core/history.ts';
import { readAmount, readCurrency } from './money.ts';
import { answer, okPage, readPage, type PrivateRequest, type PrivateRoutes } from './route.ts';

const SECRET_DIGITS = 32;

function readRecipient({ exchange, body }: PrivateRequest): User | undefined {
  const login = body.optionalText('recipient');
  if (login === undefined) return undefined;
  const user = exchange.identity.userByLogin(login);
  if (user === undefined) throw new BadRequest(`there is no user ${login}`, 'recipient');
  return user;
}

export const codeRoutes: PrivateRoutes = {
  createCode: (request) => {
    const { shell, exchange, user, body, now } = request;
    const currency = readCurrency(body);
    const wanted = {
      currency: currency.currency,
      amount: readAmount(body, currency),
      recipient: readRecipient(request),
      comment: body.optionalNote('comment'),
    };
    const secret = shell.randomHex().slice(0, SECRET_DIGITS);
    const made = exchange.money.codes.create(user, wanted, secret, now);
    return answer(made, (code) => ({ ...codeBody(code), code: code.secret }));
  },

  redeemCode: ({ exchange, user, body, now }) =>
    answer(exchange.money.codes.redeem(user, body.text('code'), now), codeBody),

  codes: ({ exchange, user, query }) => {
    const activated = query.optionalOneOf('activated', ['true', 'false']);
    const codes = exchange.money.codes.createdBy(user);
    const isWanted = ({ status }: Code): boolean =>
      activated === undefined || (activated === 'true') === (status === 'activated');
    return okPage(pageOf(codes, readPage(query), 'createdAt', isWanted), codeBody);
  },

  codeDetail: ({ exchange, user, body }) =>
    answer(exchange.money.codes.find(user, body.text('codeId')), (code) =>
      code.creator === user ? { ...codeBody(code), code: code.secret } : codeBody(code),
    ),
};
