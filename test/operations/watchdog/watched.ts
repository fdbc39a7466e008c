/** A sandbox, and the exchange as a watchdog of its first user sees it. */
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { emergencyExchange } from '../../../src/session/emergency/emergency.ts';
import { createSystemClock } from '../../../src/session/clock/system-clock.ts';
import { World } from '../../e2e/live-stack.ts';

/** `world.close()` closes both. */
export async function openWatched() {
  const world = await World.open();
  const clock = createSystemClock();
  const { restUrl, wsUrl, users } = world.sandbox;
  const { apiKey } = users[0]!;
  const exchange = emergencyExchange({
    exchange: exchangeOptions.parse({ baseUrl: restUrl, gatewayUrl: restUrl, wsUrl }),
    credentials: createCredentials(apiKey.publicKey, apiKey.secretKey),
    clock,
    logger: silentLogger,
  });
  world.later(() => exchange.close());
  return { world, exchange, apiKey, clock };
}
