/** Money requests that are almost right: one field spoilt. The sandbox answers each as a client's mistake and loses nothing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEndpointTable } from '../../src/exchange/interface/endpoints.ts';
import { businessRefusals } from '../../src/exchange/interface/refusals.ts';
import { prepareSecret, signRest } from '../../src/exchange/interface/signature.ts';
import type { HttpMethod } from '../../src/model/ports.ts';
import type { Reply } from '../../src/sandbox/reply.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { ManualClock } from './manual-clock.ts';

const clock = new ManualClock();
const sandbox = new Sandbox({ clock, seed: 5, market: 'none' });
sandbox.start();
const { publicKey, secretKey } = sandbox.users[0]!.apiKey;
const secret = prepareSecret(secretKey);
const table = createEndpointTable();

function handle(method: HttpMethod, target: string, text: string): Reply {
  const timestamp = String(clock.now());
  const signature = signRest(secret, timestamp, method, target, text);
  const headers = { 'x-api-key': publicKey, 'x-api-timestamp': timestamp, 'x-api-signature': signature };
  let answer: Reply | null = null;
  sandbox.handle(
    { method, target, headers, body: Buffer.from(text), address: '127.0.0.1' },
    (reply) => (answer = reply),
  );
  if (answer === null) throw new Error('no answer');
  return answer;
}

const fiat = { type: 'withdrawal', currency: 'RUB', amount: '100', method: 'card', details: { a: 1 } };
const bodies = {
  transfer: { from: 'funding', to: 'p2p', currency: 'USDT', amount: '1' },
  createCode: { currency: 'USDT', amount: '1', recipient: 'bob', comment: 'x' },
  redeemCode: { code: 'none' },
  codeDetail: { codeId: 'none' },
  newCryptoAddress: { currency: 'BTC', network: 'BTC' },
  createWithdrawal: { currency: 'USDT', network: 'TRC20', address: 'Toutside', amount: '10', memo: 'm' },
  createFiatApplication: fiat,
  submitFiatApplication: fiat,
  confirmFiatApplication: { applicationId: 'none' },
  deleteFiatApplication: { applicationId: 'none' },
  overdraftPay: { amount: '1' },
} as const;

const spoilt = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'NaN',
    '0.000000001',
    '9'.repeat(90),
    '1.',
    '.5',
    '+1',
    ' 1',
    '\u0000',
    '__proto__',
  ),
  fc.constantFrom(null, true, 0, -1, 1.5, 1e300, [], {}, [[]], { length: 1 }),
  fc.string({ maxLength: 1200 }),
  fc.jsonValue(),
);
const names = fc.constantFrom(...Object.keys(bodies).map((name) => name as keyof typeof bodies));

describe('almost right money requests', () => {
  it('are answered as the tables say, and every asset still sums to zero', () => {
    const codes = new Set<string>([...businessRefusals.map((row) => row.code), 'not_found']);
    const seen = new Set<string>();
    fc.assert(
      fc.property(names, fc.nat(10), spoilt, fc.boolean(), (name, place, value, extra) => {
        const row = table.get(name);
        const body: Record<string, unknown> = { ...bodies[name] };
        const field = extra ? 'surplus' : Object.keys(body)[place % Object.keys(body).length]!;
        body[field] = value;
        const reply = handle(row.method, row.path, JSON.stringify(body));
        expect([200, 400, 404, 409, 422]).toContain(reply.status);
        const answer = JSON.parse(reply.body) as { code?: string };
        if (reply.status !== 200) expect(codes).toContain(answer.code);
        seen.add(`${name} ${reply.status}`);
        clock.advance(1000);
      }),
      { numRuns: 3000 },
    );
    clock.advance(86_400_000);
    const { accounts } = sandbox.exchange;
    for (const [, total] of accounts.totals()) expect(total.toFixed()).toBe('0');
    for (const row of accounts.rows('u1')) expect([row.available.startsWith('-'), row.locked]).toEqual([false, '0']);
    // The test itself reached successes and refusals of what it means to try.
    for (const name of ['transfer', 'createCode', 'createWithdrawal', 'submitFiatApplication']) {
      expect([...seen]).toEqual(expect.arrayContaining([`${name} 200`, `${name} 400`]));
    }
    sandbox.stop();
  });
});
