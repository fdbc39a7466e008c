/** `panic --flatten` ended with 1 where the exchange refused to close a rest that is worth less than its least order. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createSession } from '../../src/session/store/store.ts';
import { callCli } from '../cli/call-cli.ts';
import { market } from '../e2e/scenario.ts';
import { Stack, SYMBOL, tempDir, until, World } from '../e2e/live-stack.ts';

const TICKER = { path: '/api/v2/exchange/public/ticker' };

/** A session that ended holding 0.00008 BTC and a fraction, at about 60,000: less than 5 USDT. */
async function flattened(isPriceKnown: boolean): Promise<{ readonly code: number; readonly document: object }> {
  const world = await World.open();
  try {
    const { dir, remove } = tempDir();
    world.later(remove);
    const { restUrl, gatewayUrl, wsUrl, users } = world.sandbox;
    const named = { mode: 'live' as const, strategies: [], seed: 1, account: 'alice', suffix: 'a' };
    const root = join(dir, 'data', 'sessions');
    const folder = createSession(root, { ...named, exchange: restUrl, now: Date.now() });
    const stack = await Stack.start(world, { dir: folder.path });
    const held = (): number => stack.executor.account('taker').position(SYMBOL).size;
    await stack.whenReady();
    stack.act('taker', market('buy', '0.00009'));
    await until(() => held() > 0, 'the position');
    await stack.whenReady();
    await stack.stop();
    if (!isPriceKnown) await world.faults({ match: TICKER, fault: 'status', status: 503 });
    const addresses = `  baseUrl: ${restUrl}\n  gatewayUrl: ${gatewayUrl}\n  wsUrl: ${wsUrl}\n`;
    writeFileSync(join(dir, 'c.yaml'), `exchange:\n${addresses}reconcile:\n  historyLagMs: 200\n`);
    const { publicKey, secretKey } = users.find(({ login }) => login === 'alice')!.apiKey;
    const env = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
    const { code, stdout } = await callCli(['panic', '--flatten', '--json', '--config', 'c.yaml'], dir, { env });
    return { code, document: JSON.parse(stdout) as object };
  } finally {
    await world.close();
  }
}

it('panic/flatten/names what is worth too little for an order, and ends with 0', async () => {
  const { code, document } = await flattened(true);
  expect(document).toMatchObject({
    flattened: [],
    problems: [expect.stringMatching(/^BTCUSDT: 0\.00008\d* is too little for an order, and stays$/)],
  });
  expect(code).toBe(0);
});

it('panic/flatten/believes no refusal that a price does not confirm', async () => {
  const { code, document } = await flattened(false);
  expect(document).toMatchObject({ flattened: [{ symbol: SYMBOL, quantity: 'sell 0.00008', outcome: 'refused' }] });
  expect(code).toBe(1);
});
