/**
 * A request that is called while another one is checked before it leaves, such as the cancel that a failing journal brings
 * about, found its lane passed by the round under way, and the timer that had been armed for it was taken away at the end of
 * that round: it waited until something else was called, beyond its own deadline.
 */
import { afterEach, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createHttpClient, type HttpCall, type HttpClient } from '../../src/exchange/client/http.ts';
import { RequestBudget } from '../../src/exchange/client/request-budget.ts';
import { createEndpointTable } from '../../src/exchange/interface/endpoints.ts';
import { denied } from '../../src/model/deny-reason.ts';
import { silentLogger, type HttpTransport } from '../../src/model/ports.ts';
import { ManualClock } from '../exchange/clocks.ts';

const create: HttpCall = { endpoint: 'createSpotOrder', lane: 'create', body: {} };
const cancel: HttpCall = { endpoint: 'cancelOrder', lane: 'cancel', params: { orderId: '7' } };

let client: HttpClient | undefined;
afterEach(() => client?.close());

/** One order request a second: whoever is second has to wait for its turn. */
function slowClient() {
  const clock = new ManualClock();
  const left: string[] = [];
  const transport: HttpTransport = {
    request: ({ method }, _deadlineMs, done) => {
      left.push(method);
      clock.after(5, () => done({ kind: 'response', status: 200, headers: {}, body: '{}' }));
    },
    close: () => Promise.resolve(),
  };
  const made = createHttpClient({
    clock,
    exchangeNow: () => clock.now(),
    transports: { orders: transport, reconcile: transport, public: transport },
    endpoints: createEndpointTable(),
    budget: new RequestBudget(clock, { requestsPerSecond: 100, ordersPerSecond: 1 }),
    baseUrl: 'http://exchange.invalid',
    gatewayUrl: 'http://exchange.invalid',
    credentials: createCredentials('ab'.repeat(32), 'cd'.repeat(32)),
    logger: silentLogger,
  });
  client = made;
  return { clock, made, left };
}

it('leaves as soon as it may when the request whose check called it is denied', () => {
  const { clock, made, left } = slowClient();
  const onDispatch = () => {
    made.call(cancel, () => {});
    return denied('journal_failed', 'the disk is full');
  };
  made.call({ ...create, onDispatch }, () => {});
  clock.advance(2000);
  expect(left).toEqual(['DELETE']);
});

it('leaves as soon as it may when the request whose check called it leaves too', () => {
  const { clock, made, left } = slowClient();
  const onDispatch = () => {
    made.call(cancel, () => {});
    return 'go' as const;
  };
  made.call({ ...create, onDispatch }, () => {});
  clock.advance(2000);
  expect(left).toEqual(['POST', 'DELETE']);
});
