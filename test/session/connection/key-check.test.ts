/** What is said of a key before a live session begins with it, and what stops the session. */
import { describe, expect, it } from 'vitest';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { createExchange } from '../../../src/exchange/exchange.ts';
import { permissionCategoryRows, type Permission } from '../../../src/exchange/interface/permissions.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import type { ApiKeyRow } from '../../../src/exchange/wire/api-keys.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import { checkKey, keyWarnings } from '../../../src/session/connection/key-check.ts';
import { createSystemClock } from '../../../src/session/clock/system-clock.ts';
import { World } from '../../e2e/live-stack.ts';

const DAY_MS = 86_400_000;
const NOW = 1_800_000_000_000;

function keyRow(over: Partial<ApiKeyRow> = {}): ApiKeyRow {
  return {
    publicKey: 'ab'.repeat(32),
    name: 'bot',
    permissions: [{ category: 'trading_spot', accessLevel: 'full' }],
    ipAddresses: ['203.0.113.7'],
    createdAt: NOW - DAY_MS,
    expiresAt: null,
    status: 'active',
    ...over,
  };
}

describe('a key', () => {
  it('that may trade and nothing else, from one address, is not worth a word', () => {
    expect(keyWarnings(keyRow(), NOW, false)).toEqual([]);
  });

  it('without a whitelist is warned of, and of its end from day 76 on', () => {
    const open = { ipAddresses: [] };
    expect(keyWarnings(keyRow({ ...open, createdAt: NOW - 75 * DAY_MS }), NOW, false)).toEqual([
      expect.stringContaining('no IP whitelist'),
    ]);
    expect(keyWarnings(keyRow({ ...open, createdAt: NOW - 76 * DAY_MS }), NOW, false)[1]).toContain('76 days old');
    expect(keyWarnings(keyRow({ ...open, createdAt: NOW - 90 * DAY_MS }), NOW, false)[1]).toContain('it expired');
  });

  it('that could move money away is warned of', () => {
    const all: Permission[] = permissionCategoryRows.map(({ category }) => ({ category, accessLevel: 'full' }));
    const said = keyWarnings(keyRow({ permissions: all }), NOW, true).join('\n');
    for (const category of ['crypto_processing', 'fiat_processing', 'transfer', 'p2p'])
      expect(said).toContain(category);
  });

  it('that may only look at orders is warned of, on perpetuals where those are traded', () => {
    const permissions: Permission[] = [{ category: 'trading_spot', accessLevel: 'read_only' }];
    expect(keyWarnings(keyRow({ permissions }), NOW, false)).toEqual([expect.stringContaining('trading_spot')]);
    expect(keyWarnings(keyRow({ permissions }), NOW, true)).toHaveLength(2);
  });
});

describe('against an exchange', () => {
  /** What is said of a key with these permissions. */
  async function saidOf(
    world: World,
    permissions: readonly Permission[],
    futures: boolean,
  ): Promise<readonly string[]> {
    const { identity } = world.sandbox.sandbox.exchange;
    const user = identity.userByLogin('alice');
    if (user === undefined) throw new Error('there is no alice');
    const mark = permissions.length.toString(16).padStart(2, '0');
    const pair = { publicKey: `a${mark}`.padEnd(64, '0'), secretKey: `b${mark}`.padEnd(64, '1') };
    identity.keys.issue(user.userId, { name: 'test', permissions, ipAddresses: ['127.0.0.1'] }, pair, Date.now());
    const { restUrl, gatewayUrl, wsUrl } = world.sandbox;
    const exchange = createExchange({
      options: exchangeOptions.parse({ baseUrl: restUrl, gatewayUrl, wsUrl }),
      credentials: createCredentials(pair.publicKey, pair.secretKey),
      clock: createSystemClock(),
      random: seededRandom(1),
      logger: silentLogger,
    });
    world.later(() => exchange.close());
    return checkKey({ exchange, publicKey: pair.publicKey, now: NOW, futures });
  }

  it('a key that could withdraw is warned of, one that may not trade stops the session', async () => {
    const world = await World.open();
    try {
      const trading: Permission[] = [{ category: 'trading_spot', accessLevel: 'full' }];
      const futures: Permission = { category: 'trading_futures', accessLevel: 'full' };
      const crypto: Permission = { category: 'crypto_processing', accessLevel: 'read_only' };
      expect(await saidOf(world, trading, false)).toEqual([]);
      const all = await saidOf(world, [...trading, futures, crypto], true);
      expect(all).toEqual([expect.stringContaining('crypto_processing')]);
      await expect(saidOf(world, [], false)).rejects.toMatchObject({ code: 'live_key_permission' });
    } finally {
      await world.close();
    }
  });
});
