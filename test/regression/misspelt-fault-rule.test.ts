/** A fault rule with a misspelt name in `match` was taken and hit every request; the fault `status` had no default; `[]` was refused. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCliDesk, type CliDesk } from '../cli/cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(84);
});
afterAll(() => desk.stop());

const TIME = '/api/v2/exchange/public/time';

async function asked(rule: object): Promise<readonly [status: number, body: unknown]> {
  const body = JSON.stringify({ rules: [rule] });
  const answer = await fetch(`${desk.running.restUrl}/sandbox/faults`, { method: 'POST', body });
  return [answer.status, await answer.json()];
}

it('sandbox/faults/refuses-a-match-by-an-unknown-name', async () => {
  expect(await asked({ match: { paht: '*/nothing' }, fault: 'drop' })).toEqual([
    400,
    expect.objectContaining({ message: expect.stringContaining('paht is none of method, path, channel') as string }),
  ]);
  expect((await fetch(`${desk.running.restUrl}${TIME}`)).status).toBe(200);
});

it('sandbox/faults/answers-500-by-default', async () => {
  expect(await asked({ match: { path: TIME }, fault: 'status' })).toEqual([200, { rules: 1 }]);
  expect((await fetch(`${desk.running.restUrl}${TIME}`)).status).toBe(500);
  await desk.clearFaults();
});

it('sandbox/faults/are-cleared-by-an-empty-list', async () => {
  expect(await asked({ match: { path: TIME }, fault: 'status' })).toEqual([200, { rules: 1 }]);
  const cleared = await fetch(`${desk.running.restUrl}/sandbox/faults`, { method: 'POST', body: '[]' });
  expect([cleared.status, await cleared.json()]).toEqual([200, { rules: 0 }]);
  expect((await fetch(`${desk.running.restUrl}${TIME}`)).status).toBe(200);
});

it('money/list/has-times-in-whole-ms', async () => {
  await desk.json('alice', 'spot', 'order', 'BTCUSDT', 'buy', '0.01', '--price', '47000', '--yes');
  const { stdout } = await desk.call('alice', ['money', 'list', '--json']);
  expect(stdout).toMatch(/"createdAt":\d{13},/);
  expect(stdout).not.toMatch(/\d{13}\.\d/);
});
