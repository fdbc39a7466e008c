/**
 * `{"quantity": null}` closed a whole position: `JSON.stringify` writes `NaN` so, and the sandbox took null for absent.
 * `{"orderIds": null}` canceled all orders.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { prepareSecret, signRest } from '../../src/exchange/interface/signature.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import { ManualClock } from '../sandbox/manual-clock.ts';

const clock = new ManualClock();
const sandbox = new Sandbox({ clock, seed: 1, market: 'none' });
beforeAll(() => sandbox.start());
afterAll(() => sandbox.stop());

function post(user: number, path: string, fields: object): { status: number; answer: Record<string, unknown> } {
  const { publicKey, secretKey } = sandbox.users[user]!.apiKey;
  const target = `/api/v2/exchange/client/${path}`;
  const body = Buffer.from(JSON.stringify(fields));
  const timestamp = String(clock.now());
  const signature = signRest(prepareSecret(secretKey), timestamp, 'POST', target, body.toString('utf8'));
  const headers = { 'x-api-key': publicKey, 'x-api-timestamp': timestamp, 'x-api-signature': signature };
  let answered = { status: 0, body: '{}' };
  sandbox.handle(
    { method: 'POST', target, headers, body, address: '127.0.0.1' },
    (reply) => (answered = reply ?? answered),
  );
  return { status: answered.status, answer: JSON.parse(answered.body) as Record<string, unknown> };
}

const symbol = 'BTCUSDTPERP';
const order = { symbol, type: 'limit', price: '60000', quantity: '0.1' } as const;

it.each([
  ['positions/close', 'quantity', { symbol }],
  ['positions/close', 'positionSide', { symbol }],
  ['order/cancel-many', 'orderIds', {}],
  ['order/cancel-many', 'symbol', {}],
  ['order/derivative', 'reduceOnly', { ...order, side: 'buy' }],
  ['order/derivative', 'timeInForce', { ...order, side: 'buy' }],
  ['order/derivative', 'clientOrderId', { ...order, side: 'buy' }],
])('sandbox/null/%s with %s of null is refused', (path, field, rest) => {
  expect(post(0, path, { ...rest, [field]: null })).toMatchObject({
    status: 400,
    answer: { code: 'bad_request', field },
  });
});

it('sandbox/null/only an absent quantity closes the whole position', () => {
  for (const [user, side] of ['buy', 'sell'].entries()) post(user, 'order/derivative', { ...order, side });
  post(1, 'order/derivative', { ...order, side: 'buy' });
  expect(post(0, 'positions/close', { symbol, quantity: Number.NaN }).status).toBe(400);
  expect(post(0, 'positions/close', { symbol })).toMatchObject({ status: 200, answer: { filledQuantity: '0.1' } });
});
