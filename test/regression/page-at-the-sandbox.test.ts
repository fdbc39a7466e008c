/** A web page that is open on the same machine cannot mint money, set faults or move the clock of a sandbox. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDesk, type Desk } from '../conformance/money-desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(91);
});
afterAll(() => desk.stop());

const CONTROLS = {
  '/sandbox/clock': { advanceMs: 1000 },
  '/sandbox/faults': { rules: [] },
  '/sandbox/deposit': { login: 'alice', account: 'funding', currency: 'USDT', amount: '5' },
};

function post(path: string, body: object, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${desk.running.restUrl}${path}`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

it.each(Object.entries(CONTROLS))('sandbox/control/%s-answers-no-web-page', async (path, body) => {
  const before = await desk.balance(desk.alice, 'funding', 'USDT');
  for (const headers of [{ origin: 'https://example.org' }, { origin: 'null' }, { host: 'rebound.example.org' }]) {
    expect([headers, await post(path, body, headers)]).toEqual([headers, 403]);
  }
  expect(await desk.balance(desk.alice, 'funding', 'USDT')).toEqual(before);
  for (const headers of [{}, { host: 'localhost' }, { host: '[::1]:80' }])
    expect(await post(path, body, headers)).toBe(200);
});
