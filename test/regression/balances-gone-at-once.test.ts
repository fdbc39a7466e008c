/**
 * An overview that answered `200 []` once was taken for a complete reading, and every balance was zero until the next one.
 * Found by the mutants' control runs.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createExchange } from '../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';

const row = { account: 'unified-trading', currency: 'USDT', available: '5', locked: '0', total: '5' };

it('does not take an overview without a row for an empty account when there were rows before', async () => {
  const answers = [[], [row], [], [row]];
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers.shift()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const exchange = createExchange({
    options: exchangeOptions.parse({ baseUrl: url, gatewayUrl: url, wsUrl: url }),
    credentials: createCredentials('a1'.repeat(32), 'b2'.repeat(32)),
    clock: createSystemClock(),
    random: seededRandom(1),
    logger: silentLogger,
  });
  try {
    const kinds: string[] = [];
    for (let reading = 0; reading < 4; reading++) kinds.push((await exchange.account.balances()).kind);
    expect(kinds).toEqual(['complete', 'complete', 'partial', 'complete']);
  } finally {
    await exchange.close();
    server.closeAllConnections();
    server.close();
  }
});
