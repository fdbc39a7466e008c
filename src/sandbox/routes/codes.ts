/**
 * Codes (interface, "Endpoints"; wire profile, "code"). The secret text is shown once to whoever creates a code, and to
 * its creator again in `full`; nowhere else.
 */
import { BadRequest, type Fields } from '../fields.ts';
import { codeBody } from '../core/codes.ts';
import { isRefusal } from '../core/refusal.ts';
import type { User } from '../core/users.ts';
import { pageOf } from '../core/history.ts';
import { readAmount, readCurrency } from './money.ts';
import { ok, readPage, type PrivateRequest, type PrivateRoutes } from './route.ts';

const SECRET_DIGITS = 32;

function readRecipient({ shell, body }: PrivateRequest): User | undefined {
  const login = body.optionalText('recipient');
  if (login === undefined) return undefined;
  const user = shell.exchange.identity.userByLogin(login);
  if (user === undefined) throw new BadRequest(`there is no user ${login}`, 'recipient');
  return user;
}

/** `activated=true|false` as text of the query. */
function readActivated(query: Fields): boolean | undefined {
  const text = query.optionalOneOf('activated', ['true', 'false']);
  return text === undefined ? undefined : text === 'true';
}

export const codeRoutes: PrivateRoutes = {
  createCode: (request) => {
    const { shell, caller, body, now } = request;
    const currency = readCurrency(body);
    const wanted = {
      currency: currency.currency,
      amount: readAmount(body, currency),
      recipient: readRecipient(request),
      comment: body.optionalNote('comment'),
    };
    const secret = shell.randomHex().slice(0, SECRET_DIGITS);
    const code = shell.exchange.money.codes.create(caller.user, wanted, secret, now);
    return isRefusal(code) ? code : ok({ ...codeBody(code), code: code.secret });
  },

  redeemCode: ({ shell, caller, body, now }) => {
    const code = shell.exchange.money.codes.redeem(caller.user, body.text('code'), now);
    return isRefusal(code) ? code : ok(codeBody(code));
  },

  codes: ({ shell, caller, query }) => {
    const activated = readActivated(query);
    const page = pageOf(
      shell.exchange.money.codes.createdBy(caller.user),
      readPage(query),
      (code) => code.createdAt,
      (code) => activated === undefined || activated === (code.status === 'activated'),
    );
    return ok({ items: page.items.map(codeBody), nextCursor: page.nextCursor });
  },

  codeDetail: ({ shell, caller, body }) => {
    const code = shell.exchange.money.codes.find(caller.user, body.text('codeId'));
    if (isRefusal(code)) return code;
    return ok(code.creator === caller.user ? { ...codeBody(code), code: code.secret } : codeBody(code));
  },
};
