/** What a live session was charged for an overdraft: read from the exchange's own list, within the session alone. */
import { expect, it, onTestFinished } from 'vitest';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { createExchange } from '../../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { readOverdraftInterest } from '../../../src/session/money/overdraft-interest.ts';
import { systemClock } from '../../../src/session/clock/system-clock.ts';

const HOUR_MS = 3_600_000;

it('is the sum of the hours that ended within it; unreadable is not nothing', async () => {
  const running = await startSandbox({ clock: systemClock, seed: 5, market: 'none' });
  onTestFinished(() => running.stop());
  const { restUrl: baseUrl, gatewayUrl, wsUrl, sandbox, users } = running;
  const { publicKey, secretKey } = users[0]!.apiKey;
  const exchange = createExchange({
    options: exchangeOptions.parse({ baseUrl, gatewayUrl, wsUrl }),
    credentials: createCredentials(publicKey, secretKey),
    clock: systemClock,
    random: seededRandom(1),
    logger: silentLogger,
  });
  const at = { exchange, clock: systemClock };
  const read = (from: number, to: number) => readOverdraftInterest(at, { from, to }, silentLogger);
  const loan = { from: 'overdraft', to: 'unified-trading', currency: 'USDT', amount: '2400' } as const;
  const began = sandbox.now();
  expect(await read(began, began + HOUR_MS)).toEqual({});
  const borrowed = await new Promise<{ readonly kind: string }>((resolve) => {
    exchange.money.send({ kind: 'transfer', ...loan }, { lane: 'create' }, resolve);
  });
  expect(borrowed.kind).toBe('accepted');
  for (let hour = 0; hour < 3; hour++) running.advance(HOUR_MS + 1_000);
  await exchange.clockOffset.measure();
  const status = await exchange.money.overdraft.status();
  const daily = status.kind === 'value' ? Number(status.value.interestRateDaily) : Number.NaN;
  const whole = await read(began, sandbox.now());
  expect(Number(whole!['USDT'])).toBeCloseTo(3 * 100 * daily, 8);
  // A session that began after the first hour has not been charged for it.
  expect(Number((await read(began + HOUR_MS + 10_000, sandbox.now()))!['USDT'])).toBeCloseTo(2 * 100 * daily, 8);
  await running.stop();
  expect(await read(began, began + HOUR_MS)).toBeNull();
  await exchange.close();
});
