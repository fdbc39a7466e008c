/** Money that a human moves out of the trading account is no loss for which the watchdog would pull, against a sandbox. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { riskSchema } from '../../../src/risk/options.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { watchRules } from '../../../src/operations/watchdog/configured-rules.ts';
import { ExchangeEyes } from '../../../src/operations/watchdog/exchange-sight.ts';
import { watch } from '../../../src/operations/watchdog/watch.ts';
import { signed } from '../../conformance/raw-client.ts';
import { until } from '../../e2e/live-stack.ts';
import { openWatched } from './watched.ts';

class CountingEyes extends ExchangeEyes {
  looks = 0;

  override async look(...of: Parameters<ExchangeEyes['look']>): ReturnType<ExchangeEyes['look']> {
    const sight = await super.look(...of);
    this.looks++;
    return sight;
  }
}

it('asks what was moved out before it calls a smaller equity a loss', async () => {
  const { world, exchange, apiKey, clock } = await openWatched();
  const path = mkdtempSync(join(tmpdir(), 'tidewire-watchdog-'));
  const eyes = new CountingEyes(exchange, 'USDT', '0.00000001');
  const { promise: stop, resolve } = Promise.withResolvers<void>();
  const told: string[] = [];
  const watching = watch({
    path,
    exchange,
    eyes,
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
  const { status } = await signed(
    world.sandbox.restUrl,
    apiKey,
    'POST',
    '/api/v1/accounting/client/transfer/account',
    body,
  );
  expect(status).toBeLessThan(300);
  const before = eyes.looks;
  // One may have been under way.
  await until(() => eyes.looks >= before + 2, 'a look at what was moved');
  resolve();
  const report = await watching;
  expect(report.looks).toBeGreaterThan(1);
  expect(report.pulled).toBeNull();
  expect(told.filter((text) => text.includes('lost'))).toEqual([]);
  await world.close();
  rmSync(path, { recursive: true, force: true });
});
