/**
 * Alerts from the outside: a bot and its watchdog, processes of their own, page a real HTTP server when the kill switch is
 * pulled (reliability §2.7 rows 7 and 27).
 */
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { Customer } from '../cli/operations/customer.ts';
import { signed } from '../conformance/raw-client.ts';
import { beforeRemoval, strategyFile } from './cli.ts';

interface Page {
  readonly topic: string;
  readonly mode: string;
  readonly code: string;
  readonly session: string;
  readonly text: string;
  readonly action: string | null;
}

async function receiver(got: Page[]): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      got.push(JSON.parse(Buffer.concat(parts).toString('utf8')) as Page);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  beforeRemoval(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
}

it('a kill that the watchdog pulls is a page of the watchdog and one of the bot, with what to do', async () => {
  const got: Page[] = [];
  const url = await receiver(got);
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  const customer = new Customer(sandbox);
  const more = `alerts: ${JSON.stringify([{ kind: 'webhook', url: '${HOOK}' }])}\nrisk: { maxOpenNotional: "500" }\n`;
  appendFileSync(join(customer.cwd, 'c.yaml'), more);
  const env = { HOOK: url };
  const maker = strategyFile('spread-maker');
  const bot = customer.begin(['run', maker, '--live', '--confirm', customer.user.login], { env });
  const { session: id } = await bot.during('the start of the session', () =>
    got.find(({ topic }) => topic === 'session'),
  );
  const watchdog = customer.begin(['watchdog', id, '--every', '1s'], { env });
  const terms = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', timeInForce: 'gtc', price: '20000', quantity: '0.05' };
  const path = '/api/v2/exchange/client/order/spot';
  expect((await signed(sandbox.restUrl, customer.user.apiKey, 'POST', path, terms)).status).toBeLessThan(300);
  const ended = await watchdog.ended;
  expect(ended.code, ended.stderr).toBe(3);
  const page = (mode: string, code: string): Promise<Page> =>
    bot.during(`the page ${code} of ${mode}`, () => got.find((one) => one.mode === mode && one.code === code));
  expect(await page('watchdog', 'pulled')).toMatchObject({
    topic: 'page',
    session: id,
    text: expect.stringContaining('orders are worth'),
    action: expect.stringContaining('no order is open'),
  });
  expect(await page('live', 'killed')).toMatchObject({
    topic: 'page',
    session: id,
    text: expect.stringContaining('watchdog: orders are worth'),
    action: expect.stringContaining('clear-kill'),
  });
  await bot.signal('SIGINT');
  const { apiKey, password } = customer.user;
  for (const secret of [apiKey.secretKey, password]) expect(JSON.stringify(got)).not.toContain(secret);
});
