/** A web page that is open on the same machine cannot mint money, set faults or move the clock of a sandbox. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDesk, type Desk } from '../conformance/money-desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk(91);
});
afterAll(() => desk.stop());

const CONTROLS: Readonly<Record<string, object>> = {
  '/sandbox/clock': { advanceMs: 1000 },
  '/sandbox/faults': { rules: [] },
  '/sandbox/deposit': { login: 'alice', account: 'funding', currency: 'USDT', amount: '5' },
};

function post(path: string, body: object, headers: Headers): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${desk.running.restUrl}${path}`, { method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(body));
  });
}

type Headers = Readonly<Record<string, string>>;
const PAGES: readonly Headers[] = [
  { origin: 'https://example.org' },
  { origin: 'null' },
  { host: 'rebound.example.org' },
];
const TOOLS: readonly Headers[] = [{}, { host: 'localhost' }, { host: '[::1]:80' }];

it.each(Object.entries(CONTROLS))('sandbox/control/%s-answers-no-web-page', async (path, body) => {
  const before = await desk.balance(desk.alice, 'funding', 'USDT');
  for (const headers of PAGES) {
    expect([headers, await post(path, body, headers)]).toEqual([headers, 403]);
  }
  expect(await desk.balance(desk.alice, 'funding', 'USDT')).toEqual(before);
  for (const headers of TOOLS) expect(await post(path, body, headers)).toBe(200);
});
