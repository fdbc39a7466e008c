/** Whatever a client sends, the sandbox answers it as a client's mistake and lives on. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEndpointTable } from '../../src/exchange/interface/endpoints.ts';
import { prepareSecret, signRest, signSocketLogin } from '../../src/exchange/interface/signature.ts';
import type { Reply } from '../../src/sandbox/reply.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { ManualClock } from './manual-clock.ts';

const clock = new ManualClock();
const sandbox = new Sandbox({ clock, seed: 1, market: 'none', messagesPerSecondMax: 1_000_000 });
sandbox.start();
const { publicKey, secretKey } = sandbox.users[0]!.apiKey;
const secret = prepareSecret(secretKey);

function handle(method: string, target: string, body: Buffer): Reply {
  const timestamp = String(clock.now());
  const signature = signRest(secret, timestamp, method as 'GET', target, body.toString('utf8'));
  const headers = { 'x-api-key': publicKey, 'x-api-timestamp': timestamp, 'x-api-signature': signature };
  let answer: Reply | null = null;
  sandbox.handle({ method, target, headers, body, address: '127.0.0.1' }, (reply) => (answer = reply));
  if (answer === null) throw new Error('no answer');
  return answer;
}

const names = [
  'symbol',
  'side',
  'type',
  'price',
  'quantity',
  'timeInForce',
  'clientOrderId',
  'orderIds',
  'limit',
  'cursor',
  'from',
  'to',
  '__proto__',
];
const word = fc.oneof(
  fc.constantFrom('BTCUSDT', 'buy', 'limit', 'market', '50000', '0.01', '-1', '1e9', 'NaN', ''),
  fc.string(),
);
const object = fc.dictionary(fc.constantFrom(...names), fc.oneof(word, fc.jsonValue()));
const body = fc.oneof(
  object.map((value) => Buffer.from(JSON.stringify(value))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);
const query = fc
  .dictionary(fc.constantFrom(...names, 'interval', 'market'), word)
  .map((values) => new URLSearchParams(values).toString());

describe('the sandbox under nonsense', () => {
  it('answers every request to every endpoint with a status of the profile, and money stays whole', () => {
    const rows = createEndpointTable().rows.map((row) => [row.method, row.path.replaceAll(/\{\w+\}/g, 'x')] as const);
    const target = fc.oneof(
      fc.constantFrom(...rows),
      fc.tuple(
        fc.constantFrom('GET', 'POST', 'PUT', 'BREW'),
        fc.string().map((path) => `/${path}`),
      ),
    );
    fc.assert(
      fc.property(target, query, body, ([method, path], search, bytes) => {
        const reply = handle(
          method,
          search === '' ? path : `${path}?${search}`,
          method === 'GET' ? Buffer.alloc(0) : bytes,
        );
        expect([200, 400, 401, 404, 409, 422, 501]).toContain(reply.status);
        if (reply.status !== 200 && reply.status !== 401) {
          expect(JSON.parse(reply.body)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
        }
      }),
      { numRuns: 2000 },
    );
    for (const [, total] of sandbox.exchange.accounts.totals()) expect(total.toFixed()).toBe('0');
  });

  it('answers every frame', () => {
    const sent: string[] = [];
    const connection = {
      send: (text: string) => void sent.push(text),
      bufferedBytes: 0,
      close: () => {},
      terminate: () => {},
    };
    const session = sandbox.hub.attach(connection, '127.0.0.1');
    if (session === undefined) throw new Error('refused');
    const signature = signSocketLogin(secret, publicKey, clock.now());
    session.receive(JSON.stringify({ method: 'auth', key: publicKey, timestamp: clock.now(), signature }));
    const channel = fc.oneof(
      fc.constantFrom('BTCUSDT@depth', 'CLNTF@my-balances', 'position-info', '@depth', 'x@y'),
      fc.string(),
    );
    const frame = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .record(
          {
            method: fc.constantFrom('subscribe', 'unsubscribe', 'list_subscriptions', 'ping', 'auth', 'dance'),
            id: fc.oneof(fc.integer(), fc.jsonValue()),
            data: fc.oneof(fc.array(channel), fc.jsonValue()),
            key: fc.oneof(fc.constant(publicKey), fc.jsonValue()),
            timestamp: fc.jsonValue(),
            signature: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map((message) => JSON.stringify(message)),
    );
    fc.assert(
      fc.property(frame, (text) => {
        const before = sent.length;
        session.receive(text);
        expect(sent.length).toBeGreaterThan(before);
        for (const reply of sent.slice(before)) JSON.parse(reply);
      }),
      { numRuns: 2000 },
    );
  });
});
