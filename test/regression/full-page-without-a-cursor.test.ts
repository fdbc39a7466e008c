/**
 * A service that answers the transactions with a bare list says nothing of further pages: a page as full as was asked for was
 * shown as all there is (`complete`), however much lay behind it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { documentOf, freshFolder, run } from '../e2e/cli.ts';
import { json, startServer, type TestServer } from '../exchange/client/http-server.ts';
import { BTC } from '../recording/fixtures.ts';

const row = {
  transactionId: 't',
  type: 'transfer',
  status: 'completed',
  currency: 'USDT',
  amount: '1',
  fee: '0',
  account: 'funding',
  createdAt: 1,
  updatedAt: 1,
};

let rest: TestServer;
beforeEach(async () => {
  rest = await startServer();
});
afterEach(() => rest.close());

/** The service tells these transactions, and what a command asks before. */
function tells(transactions: unknown): void {
  rest.handle = ({ path }, response) => {
    if (path.includes('/transactions/')) json(response, 200, transactions);
    else if (path.includes('/time')) json(response, 200, { serverTime: Date.now() });
    else json(response, 200, path.includes('/spot/list') ? [BTC] : []);
  };
}

async function page(...options: readonly string[]) {
  const cwd = freshFolder();
  const exchange = { baseUrl: rest.url, gatewayUrl: rest.url, wsUrl: rest.url };
  writeFileSync(join(cwd, 'config.yaml'), JSON.stringify({ exchange }));
  const env = { TIDEWIRE_API_KEY: 'ab'.repeat(32), TIDEWIRE_API_SECRET: 'cd'.repeat(32) };
  return run(['account', 'transactions', '--limit', '2', '--config', 'config.yaml', ...options], { cwd, env });
}

it('is not all there is', async () => {
  tells([row, { ...row, transactionId: 'u' }]);
  expect(documentOf(await page('--json'))).toMatchObject({ complete: false, items: { length: 2 }, nextCursor: null });
  expect((await page()).stdout).toContain('there may be more');
});

it('is all there is when it is not full, or when the service says so', async () => {
  tells([row]);
  expect(documentOf(await page('--json'))).toMatchObject({ complete: true, items: { length: 1 }, nextCursor: null });
  tells({ items: [row, row], nextCursor: null });
  expect(documentOf(await page('--json'))).toMatchObject({ complete: true, items: { length: 2 }, nextCursor: null });
});
