/** Orders that a human sends with `tidewire spot order` beside a live session: it takes neither for its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { documentOf, freshFolder, start } from '../e2e/cli.ts';
import { writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { callCli } from './call-cli.ts';
import { ladder } from './ladder.ts';

it('spot/beside-a-session/a-trade-is-booked-to-others-and-an-order-is-external', async () => {
  const cwd = freshFolder();
  const exchange = await startSandbox({ clock: systemClock, seed: 7 });
  onTestFinished(() => exchange.stop());
  const { apiKey, login } = exchange.users[0]!;
  const config = writeExchangeConfig(cwd, { ...exchange, gatewayUrl: exchange.restUrl });
  const env = { TIDEWIRE_API_KEY: apiKey.publicKey, TIDEWIRE_API_SECRET: apiKey.secretKey };
  const order = async (...terms: string[]): Promise<string> => {
    const argv = ['spot', 'order', 'BTCUSDT', 'buy', '0.001', ...terms, '--yes', '--config', config, '--json'];
    const { code, stdout, stderr } = await callCli(argv, cwd, { env });
    expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    return (JSON.parse(stdout) as { orderId: string }).orderId;
  };
  const strategy = join(cwd, 'ladder.ts');
  writeFileSync(strategy, ladder(1));
  const live = start(['run', strategy, '--config', config, '--live', '--confirm', login, '--json'], { cwd, env });
  const session = await live.during('an order of the session', async () => {
    const [found] = await sessions(cwd);
    return found !== undefined && entriesOf(found.path, 'order').length > 0 ? found : undefined;
  });
  const resting = await order('--price', '30000');
  const bought = await order();
  const booked = await live.during('the trade of others in the journal', () => {
    const found = entriesOf(session.path, 'adjustment').filter(({ id }) => id.includes(bought));
    return Promise.resolve(found.length === 2 ? found : undefined);
  });
  expect(booked.map(({ name }) => name).sort()).toEqual(['BTC', 'USDT']);
  await live.signal('SIGKILL');
  const plan = await callCli(['plan', '--config', config, '--json'], cwd, { env });
  const { external } = documentOf<{ external: readonly { orderId: string }[] }>({ ...plan, signal: null });
  expect(external.map(({ orderId }) => orderId)).toEqual([resting]);
});
