/** Money that a human moves out of the trading account is no loss for which the watchdog would pull, against a sandbox. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { riskSchema } from '../../../src/execution/options.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { watchRules } from '../../../src/operations/watchdog/configured-rules.ts';
import { ExchangeEyes } from '../../../src/operations/watchdog/exchange-sight.ts';
import { watch } from '../../../src/operations/watchdog/watch.ts';
import { createSystemClock } from '../../../src/session/system-clock.ts';
import { signed } from '../../conformance/raw-client.ts';
import { until, World } from '../../e2e/live-stack.ts';
import { emergencyExchange } from '../../../src/session/emergency.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';

it('asks what was moved out before it calls a smaller equity a loss', async () => {
  const world = await World.open();
  const path = mkdtempSync(join(tmpdir(), 'tidewire-watchdog-'));
  const clock = createSystemClock();
  const { sandbox } = world;
  const alice = sandbox.users.find(({ login }) => login === 'alice');
  const key = alice?.apiKey ?? { publicKey: '', secretKey: '' };
  const exchange = emergencyExchange({
    exchange: exchangeOptions.parse({ baseUrl: sandbox.restUrl, gatewayUrl: sandbox.restUrl, wsUrl: sandbox.wsUrl }),
    credentials: createCredentials(key.publicKey, key.secretKey),
    clock,
    logger: silentLogger,
  });
  const { promise: stop, resolve } = Promise.withResolvers<void>();
  const told: string[] = [];
  const watching = watch({
    path,
    exchange,
    eyes: new ExchangeEyes(exchange, 'USDT', '0.00000001'),
    rules: watchRules(riskSchema.parse({ dailyLossFraction: 0.01 }), 600_000, 600_000),
    clock,
    logger: silentLogger,
    everyMs: 50,
    tell: (_code, text) => told.push(text),
    stop,
  });
  const day = (): { equity: number } | null => {
    try {
      return JSON.parse(readFileSync(join(path, 'watchdog.json'), 'utf8')) as { equity: number };
    } catch {
      return null;
    }
  };
  await until(() => day() !== null, 'the first look');
  const body = { from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '40000' };
  const { status } = await signed(sandbox.restUrl, key, 'POST', '/api/v1/accounting/client/transfer/account', body);
  expect(status).toBeLessThan(300);
  await new Promise((over) => setTimeout(over, 2_500));
  resolve();
  const report = await watching;
  expect(report.looks).toBeGreaterThan(1);
  expect(report.pulled).toBeNull();
  expect(told.filter((text) => text.includes('lost'))).toEqual([]);
  await exchange.close();
  await world.close();
  rmSync(path, { recursive: true, force: true });
});
