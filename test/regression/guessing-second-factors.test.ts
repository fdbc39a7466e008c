/** Second-factor codes of the sandbox cannot be guessed one after the other, wherever a code is asked for. */
import { afterEach, expect, it } from 'vitest';
import { openDesk, type Desk } from '../conformance/money-desk.ts';
import { send, type RawReply } from '../conformance/raw-client.ts';

let desk: Desk;
afterEach(() => desk.stop());

function tryLogin(code: string): Promise<RawReply> {
  const { login, password } = desk.running.users[0]!;
  return send(
    desk.running.restUrl,
    'POST',
    '/api/v1/auth/login',
    {},
    JSON.stringify({ login, password, auth2fa_code: code }),
  );
}

async function statuses(codes: readonly string[]): Promise<readonly number[]> {
  const found: number[] = [];
  for (const code of codes) found.push((await tryLogin(code)).status);
  return found;
}

const wrong = (count: number): string[] => Array<string>(count).fill('0000000');

it('sandbox/login/ten-wrong-codes-in-a-row-shut-it-for-a-minute', async () => {
  desk = await openDesk(92);
  const token = await desk.login(0);
  expect(await statuses(wrong(10))).toEqual(Array(10).fill(422));
  const shut = await tryLogin(desk.secondFactor(0));
  expect([shut.status, shut.json]).toMatchObject([429, { code: 'rate_limited' }]);
  expect(Number(shut.headers['retry-after'])).toBeGreaterThan(0);
  // A key is asked for with the same code.
  const key = { name: 'mine', auth2fa_code: desk.secondFactor(0), permissions: [] };
  expect((await desk.asUser(token, 'POST', '/api/v1/identity/client/api-key/create', key)).status).toBe(429);
  // Another user has a count of his own.
  expect(await desk.login(1)).toMatch(/\./);
  await desk.advance(61_000);
  expect(await statuses([desk.secondFactor(0), ...wrong(9), desk.secondFactor(0)])).toEqual([
    200,
    ...Array(9).fill(422),
    200,
  ]);
});
