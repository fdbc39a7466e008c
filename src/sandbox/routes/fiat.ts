/**
 * Fiat applications (interface, "Fiat application"; wire profile, "assumed bodies of the documented money operations").
 */
import { fiatApplicationTypes } from '../../exchange/interface/states.ts';
import { applicationBody, type FiatApplication, type FiatRequest } from '../core/fiat-applications.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import type { Fields } from '../fields.ts';
import { nothingFound, readAmount, readFiatCurrency } from './money.ts';
import { ok, type PrivateRequest, type PrivateRoutes, type RouteAnswer } from './route.ts';

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

function answer(applicationId: string, found: FiatApplication | Refusal | undefined): RouteAnswer {
  if (found === undefined) return nothingFound(`there is no application ${applicationId}`);
  return isRefusal(found) ? found : ok(applicationBody(found));
}

function create(trigger: 'create' | 'submit'): (request: PrivateRequest) => RouteAnswer {
  return ({ shell, caller, body, now }) =>
    answer('', shell.exchange.money.fiat.create(caller.user.userId, readApplication(body), trigger, now));
}

export const fiatRoutes: PrivateRoutes = {
  createFiatApplication: create('create'),
  submitFiatApplication: create('submit'),

  confirmFiatApplication: ({ shell, caller, body, now }) => {
    const applicationId = body.text('applicationId');
    return answer(applicationId, shell.exchange.money.fiat.confirm(caller.user.userId, applicationId, now));
  },

  deleteFiatApplication: ({ shell, caller, body, now }) => {
    const applicationId = body.text('applicationId');
    return answer(applicationId, shell.exchange.money.fiat.delete(caller.user.userId, applicationId, now));
  },
};
