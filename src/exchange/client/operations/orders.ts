/** Orders over REST. An answer about another order is `unknown`. */
import type { VenueFill } from '../../../model/trading/fill.ts';
import type { OrderReport, OrderRequest } from '../../../model/trading/order.ts';
import type { Clock, Lane } from '../../../model/ports.ts';
import type { Outcome, Reading } from '../../../model/result.ts';
import type { HistoryRequest, OnDispatch } from '../../../model/venue.ts';
import { decodeObject } from '../../wire/body.ts';
import { failureText } from '../../wire/decoded.ts';
import { fillSchema } from '../../wire/fills.ts';
import { cancelManySchema, encodeOrderRequest, orderSchema } from '../../wire/orders.ts';
import type { CallResult } from '../classify.ts';
import type { HttpClient } from '../http.ts';
import { readObject, type Answer } from './answer.ts';
import { readPages } from './pages.ts';

export type OutcomeListener = (outcome: Outcome) => void;

export interface Dispatch {
  readonly lane: Lane;
  readonly onDispatch?: OnDispatch;
}

export interface PastRequest extends HistoryRequest {
  /** The newest alone. */
  readonly most?: number;
}

export interface OrderOperations {
  create(order: OrderRequest, dispatch: Dispatch, done: OutcomeListener): void;
  cancel(orderId: string, dispatch: Dispatch, done: OutcomeListener): void;
  cancelMany(orderIds: readonly string[], dispatch: Dispatch, done: OutcomeListener): void;
  /** Null: every order of the account. */
  cancelAll(symbol: string | null, dispatch: Dispatch, done: OutcomeListener): void;
  active(): Promise<Reading<OrderReport>>;
  history(request: PastRequest): Promise<Reading<OrderReport>>;
  one(orderId: string): Promise<Answer<OrderReport>>;
  ownTrades(request: PastRequest): Promise<Reading<VenueFill>>;
}

type Unfinished = Exclude<CallResult, { kind: 'ok' }>;

function outcomeOf(result: Unfinished): Outcome {
  switch (result.kind) {
    case 'refused': {
      const { code, message, field } = result;
      return { kind: 'refused', code, message, ...(field === undefined ? {} : { field }) };
    }
    case 'unknown':
      return { kind: 'unknown', reason: result.reason, ...(result.blocked === true ? { blocked: true } : {}) };
    default:
      return result;
  }
}

function unknown(reason: string): Outcome {
  return { kind: 'unknown', reason };
}

/** Services may normalise values, so only identity counts. */
function mismatch(asked: OrderRequest, got: OrderReport, clientOrderIds: boolean): string | null {
  if (got.symbol !== asked.symbol) return `symbol ${got.symbol} instead of ${asked.symbol}`;
  if (got.side !== asked.side) return `side ${got.side} instead of ${asked.side}`;
  if (clientOrderIds && got.clientOrderId !== undefined && got.clientOrderId !== asked.clientOrderId) {
    return `clientOrderId ${got.clientOrderId} instead of ${asked.clientOrderId}`;
  }
  return null;
}

function createOutcome(asked: OrderRequest, clientOrderIds: boolean, result: CallResult): Outcome {
  if (result.kind !== 'ok') return outcomeOf(result);
  const order = decodeObject(orderSchema, 'create order', result.json);
  if (order.kind === 'failure') return unknown(failureText(order));
  const wrong = mismatch(asked, order.value, clientOrderIds);
  return wrong === null ? { kind: 'accepted', order: order.value } : unknown(`create order answered ${wrong}`);
}

function cancelOutcome(orderId: string, result: CallResult): Outcome {
  if (result.kind !== 'ok') return outcomeOf(result);
  const order = decodeObject(orderSchema, 'cancel order', result.json);
  if (order.kind === 'failure') return unknown(failureText(order));
  if (order.value.orderId !== orderId) return unknown(`cancel order answered order ${order.value.orderId}`);
  return { kind: 'accepted', order: order.value };
}

function cancelManyOutcome(result: CallResult): Outcome {
  if (result.kind !== 'ok') return outcomeOf(result);
  const answer = decodeObject(cancelManySchema, 'cancelManyOrders', result.json);
  if (answer.kind === 'failure') return unknown(failureText(answer));
  return { kind: 'accepted', canceled: answer.value.canceled };
}

const createEndpoint = { spot: 'createSpotOrder', derivative: 'createDerivativeOrder' } as const;
const tradesEndpoint = { spot: 'spotTrades', derivative: 'derivativeTrades' } as const;

function historyQuery(request: HistoryRequest): { from: number; to?: number; symbol?: string } {
  const { from, to, symbol } = request;
  return {
    from: Math.floor(from),
    ...(to === undefined ? {} : { to: Math.ceil(to) }),
    ...(symbol === undefined ? {} : { symbol }),
  };
}

/** `clientOrderIds`: whether the exchange keeps them; otherwise not sent. */
export function createOrderOperations(http: HttpClient, clock: Clock, clientOrderIds: boolean): OrderOperations {
  const cancelSome = (body: object, dispatch: Dispatch, done: OutcomeListener): void =>
    http.call({ endpoint: 'cancelManyOrders', body, ...dispatch }, (result) => done(cancelManyOutcome(result)));
  return Object.freeze({
    create(order: OrderRequest, dispatch: Dispatch, done: OutcomeListener): void {
      const body = encodeOrderRequest(order, clientOrderIds);
      http.call({ endpoint: createEndpoint[order.market], body, ...dispatch }, (result) =>
        done(createOutcome(order, clientOrderIds, result)),
      );
    },
    cancel(orderId: string, dispatch: Dispatch, done: OutcomeListener): void {
      http.call({ endpoint: 'cancelOrder', params: { orderId }, ...dispatch }, (result) =>
        done(cancelOutcome(orderId, result)),
      );
    },
    cancelMany: (orderIds: readonly string[], dispatch: Dispatch, done: OutcomeListener) =>
      cancelSome({ orderIds }, dispatch, done),
    cancelAll: (symbol: string | null, dispatch: Dispatch, done: OutcomeListener) =>
      cancelSome(symbol === null ? {} : { symbol }, dispatch, done),
    active: () => readPages(http, clock, { endpoint: 'activeOrders', lane: 'reconcile', paged: false }, orderSchema),
    history: (request: PastRequest) => {
      const query = { ...historyQuery(request), market: request.market };
      const list = { endpoint: 'orderHistory', lane: 'history', query, paged: true, most: request.most } as const;
      return readPages(http, clock, list, orderSchema);
    },
    one: (orderId: string) =>
      readObject(http, { endpoint: 'order', lane: 'reconcile', params: { orderId } }, orderSchema, { orderId }),
    ownTrades: (request: PastRequest) => {
      const endpoint = tradesEndpoint[request.market];
      const list = {
        endpoint,
        lane: 'history',
        query: historyQuery(request),
        paged: true,
        most: request.most,
      } as const;
      return readPages(http, clock, list, fillSchema);
    },
  });
}
