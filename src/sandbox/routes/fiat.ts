/** Fiat applications (interface, "Fiat application"). */
import { fiatApplicationTypes } from '../../exchange/interface/states.ts';
import { applicationBody, type FiatApplication, type FiatRequest } from '../core/money/fiat-applications.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Fields } from '../fields.ts';
import { notFoundReply } from '../reply.ts';
import { readAmount, readFiatCurrency } from './money.ts';
import { answer, type PrivateHandler, type PrivateRequest, type PrivateRoutes } from './route.ts';

function readApplication(body: Fields): FiatRequest {
  const currency = readFiatCurrency(body);
  return {
    type: body.oneOf('type', fiatApplicationTypes),
    currency: currency.currency,
    amount: readAmount(body, currency),
    method: body.text('method'),
    details: body.optionalJson('details'),
  };
}

function create(trigger: 'create' | 'submit'): PrivateHandler {
  return ({ exchange, user, body, now }) =>
    answer(exchange.money.fiat.create(user.userId, readApplication(body), trigger, now), applicationBody);
}

function change(
  run: (request: PrivateRequest, applicationId: string) => FiatApplication | Refusal | undefined,
): PrivateHandler {
  return (request) => {
    const applicationId = request.body.text('applicationId');
    const changed = run(request, applicationId);
    if (changed === undefined) return notFoundReply(`there is no application ${applicationId}`);
    return answer(changed, applicationBody);
  };
}

export const fiatRoutes: PrivateRoutes = {
  createFiatApplication: create('create'),
  submitFiatApplication: create('submit'),
  confirmFiatApplication: change(({ exchange, user, now }, id) => exchange.money.fiat.confirm(user.userId, id, now)),
  deleteFiatApplication: change(({ exchange, user, now }, id) => exchange.money.fiat.delete(user.userId, id, now)),
};
