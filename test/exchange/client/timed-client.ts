/** A REST client on a clock by hand, whose requests are answered 5 ms after they left. */
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { createHttpClient, type HttpClient } from '../../../src/exchange/client/http.ts';
import { RequestBudget } from '../../../src/exchange/client/request-budget.ts';
import { createEndpointTable } from '../../../src/exchange/interface/endpoints.ts';
import { silentLogger, type HttpTransport } from '../../../src/model/ports.ts';
import { ManualClock } from '../clocks.ts';

export interface TimedClient {
  readonly clock: ManualClock;
  readonly client: HttpClient;
  /** Methods of what left. */
  readonly left: readonly string[];
}

export function timedClient(ordersPerSecond: number): TimedClient {
  const clock = new ManualClock();
  const left: string[] = [];
  const transport: HttpTransport = {
    request: ({ method }, _deadlineMs, done) => {
      left.push(method);
      clock.after(5, () => done({ kind: 'response', status: 200, headers: {}, body: '{}' }));
    },
    close: () => Promise.resolve(),
  };
  const client = createHttpClient({
    clock,
    exchangeNow: () => clock.now(),
    transports: { orders: transport, reconcile: transport, public: transport },
    endpoints: createEndpointTable(),
    budget: new RequestBudget(clock, { requestsPerSecond: 100, ordersPerSecond }),
    baseUrl: 'http://exchange.invalid',
    gatewayUrl: 'http://exchange.invalid',
    credentials: createCredentials('ab'.repeat(32), 'cd'.repeat(32)),
    logger: silentLogger,
  });
  return { clock, client, left };
}
