/**
 * Fiat applications over REST (interface, "Fiat application"). An application's progress is in the transaction history,
 * under the application's id.
 */
import type { FiatApplicationType } from '../../interface/states.ts';
import {
  fiatApplicationSchema,
  movedFiatApplicationSchema,
  type FiatApplication,
  type MovedFiatApplication,
} from '../../wire/fiat.ts';
import { checkedAmount, sendMoney, type MoneyPorts, type OnMoneyOutcome } from './money.ts';
import type { Dispatch } from './orders.ts';

export interface FiatRequest {
  readonly type: FiatApplicationType;
  readonly currency: string;
  /** Decimal text above zero. */
  readonly amount: string;
  readonly method: string;
  /** Whatever the cashier needs for the method. */
  readonly details?: string | Readonly<Record<string, string>>;
}

type OnApplication = OnMoneyOutcome<FiatApplication>;
type OnMoved = OnMoneyOutcome<MovedFiatApplication>;

export interface FiatOperations {
  /** A draft: status `created`; moves no money. Refusals: `below_minimum`. */
  create(request: FiatRequest, dispatch: Dispatch, done: OnApplication): void;
  /** Goes to the staff at once: status `submitted`. Refusals: `below_minimum`, `insufficient_balance`. */
  submit(request: FiatRequest, dispatch: Dispatch, done: OnApplication): void;
  /** `created` to `submitted`. Refusals: `illegal_transition`, `insufficient_balance`, `not_owner`. */
  confirm(applicationId: string, dispatch: Dispatch, done: OnMoved): void;
  /** To `canceled`. Refusals: `illegal_transition`, `not_owner`. */
  delete(applicationId: string, dispatch: Dispatch, done: OnMoved): void;
}

export function createFiatOperations(ports: MoneyPorts): FiatOperations {
  const apply =
    (endpoint: 'createFiatApplication' | 'submitFiatApplication') =>
    (request: FiatRequest, dispatch: Dispatch, done: OnApplication): void => {
      const { amount, invalid } = checkedAmount(request.amount);
      const { type, currency } = request;
      const repeats = { type, currency, amount };
      const body = { ...request, amount };
      sendMoney(ports, { endpoint, body, schema: fiatApplicationSchema, repeats, invalid }, dispatch, done);
    };
  const move =
    (endpoint: 'confirmFiatApplication' | 'deleteFiatApplication', expected: Partial<MovedFiatApplication>) =>
    (applicationId: string, dispatch: Dispatch, done: OnMoved): void => {
      const repeats = { applicationId, ...expected };
      const call = { endpoint, body: { applicationId }, schema: movedFiatApplicationSchema, repeats };
      sendMoney(ports, call, dispatch, done);
    };
  return Object.freeze({
    create: apply('createFiatApplication'),
    submit: apply('submitFiatApplication'),
    confirm: move('confirmFiatApplication', {}),
    delete: move('deleteFiatApplication', { status: 'canceled' }),
  });
}
