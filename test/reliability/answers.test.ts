/** What an answer proves: whole, known and about the order, or nothing (R04 to R06, O04, O05). */
import { describe, expect, it } from 'vitest';
import { classifyResult } from '../../src/exchange/client/classify.ts';
import { sampleOf } from '../../src/exchange/wire/decoded.ts';
import { decodePrivateFrame } from '../../src/exchange/wire/private-frames.ts';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createExchange } from '../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { silentLogger, type HttpResult } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { OrderRequest } from '../../src/model/trading/order.ts';
import type { Outcome } from '../../src/model/result.ts';
import { HandClock } from '../execution/rig.ts';

const request: OrderRequest = {
  market: 'spot',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  price: '60000',
  quantity: '0.01',
  clientOrderId: 'tw-b1-1',
};
const report = {
  ...request,
  orderId: 'v77',
  filledQuantity: '0',
  averagePrice: null,
  status: 'new',
  createdAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_000,
};

function answered(status: number, body: string): HttpResult {
  return { kind: 'response', status, headers: {}, body };
}

/** How a create ends whose answer is this. */
async function createdWith(result: HttpResult): Promise<Outcome> {
  const transport = {
    request: (_request: unknown, _deadlineMs: number, done: (result: HttpResult) => void) => done(result),
    close: () => Promise.resolve(),
  };
  const exchange = createExchange({
    options: exchangeOptions.parse({
      baseUrl: 'http://x.invalid',
      gatewayUrl: 'http://x.invalid',
      wsUrl: 'ws://x.invalid',
    }),
    credentials: createCredentials('ab'.repeat(32), 'cd'.repeat(32)),
    clock: new HandClock(),
    random: seededRandom(1),
    logger: silentLogger,
    httpTransports: { orders: transport, reconcile: transport, public: transport },
  });
  return new Promise((resolve) => {
    exchange.orders.create(request, { lane: 'create' }, resolve);
  });
}

describe('the answer to a create', () => {
  it('is the order when it is whole', async () => {
    expect((await createdWith(answered(200, JSON.stringify(report)))).kind).toBe('accepted');
  });

  it('that is cut at any byte is unknown', async () => {
    const body = JSON.stringify(report);
    for (let length = 0; length < body.length; length++) {
      const outcome = await createdWith(answered(200, body.slice(0, length)));
      expect(outcome.kind, body.slice(0, length)).toBe('unknown');
    }
  });

  it('that lacks any field which says what became of the order is unknown', async () => {
    const needed = ['orderId', 'symbol', 'side', 'type', 'quantity', 'filledQuantity', 'status', 'createdAt'] as const;
    for (const name of needed) {
      const { [name]: _left, ...rest } = report;
      expect((await createdWith(answered(200, JSON.stringify(rest)))).kind, name).toBe('unknown');
    }
  });

  it('is unknown whatever a 4xx or 5xx says that is no refusal of the list', async () => {
    const bodies = [
      '',
      '<html>Just a moment…</html>',
      '{}',
      'null',
      '{"code":"go_away","message":"no"}',
      JSON.stringify(report),
    ];
    for (let status = 300; status < 600; status++) {
      for (const body of bodies)
        expect(classifyResult(answered(status, body)).kind, `${status} ${body}`).toBe('unknown');
    }
    const known = '{"code":"insufficient_balance","message":"no"}';
    expect((await createdWith(answered(400, known))).kind).toBe('refused');
    expect((await createdWith(answered(502, known))).kind).toBe('unknown');
    expect((await createdWith(answered(429, known))).kind).toBe('unknown');
  });
});

describe('two trades', () => {
  it('of the same price and time with ids of their own are two, one without an id is a failure', () => {
    const trade = {
      tradeId: 't1',
      orderId: 'v77',
      symbol: 'BTCUSDT',
      market: 'spot',
      side: 'buy',
      price: '60000',
      quantity: '0.001',
      fee: '0',
      feeCurrency: 'BTC',
      liquidity: 'maker',
      ts: 1_767_225_600_000,
    };
    const frame = (data: unknown) =>
      decodePrivateFrame({ channel: 'BTCUSDT@my-trades', seq: 1, ts: 1, data, receiveUs: 1, generation: 1 });
    const both = frame([trade, { ...trade, tradeId: 't2' }]);
    expect(both).toMatchObject({ kind: 'fills', fills: [{ tradeId: 't1' }, { tradeId: 't2' }] });
    for (const tradeId of ['', null, undefined, {}, 2 ** 53 + 2])
      expect(frame([trade, { ...trade, tradeId }]).kind, JSON.stringify(tradeId) ?? 'absent').toBe('failure');
  });
});

describe('what a failure shows', () => {
  it('is text of bounded length, whatever is to be shown', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    const throws = {
      toJSON: () => {
        throw new Error('no');
      },
    };
    const lone = '\ud800'.repeat(1000);
    for (const value of [circular, throws, 10n, Symbol('s'), () => 1, undefined, lone, 'x'.repeat(1e6), [[[]]]]) {
      expect(typeof sampleOf(value)).toBe('string');
      expect(sampleOf(value).length).toBeLessThan(200);
    }
  });
});
