/**
 * Found by reading: a session was written down as ended orderly although an order of it was of unknown outcome, or although
 * orders of the crashed process before it still stood because the exchange could not be read. The next start then began
 * a new session, and nobody ever looked at those orders again (O29, O30).
 */
import { afterEach, expect, it } from 'vitest';
import type { Clock } from '../../src/model/ports.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { connect } from '../../src/session/connection/connection.ts';
import { liveVenue } from '../../src/session/live.ts';
import { openFolder } from '../../src/session/store/open-folder.ts';
import { runRealtime } from '../../src/session/realtime.ts';
import type { RunningSession } from '../../src/session/store/running-session.ts';
import { createSession, readSession } from '../../src/session/store/store.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { Stack, tempDir, until, World } from '../e2e/live-stack.ts';
import { CREATE, limit } from '../e2e/scenario.ts';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const TAG = 'maker';

interface Exchange {
  readonly faults: (...rules: readonly object[]) => Promise<void>;
  readonly standing: () => number;
  /** A session that dies with an order standing. */
  readonly crash: () => Promise<void>;
  /** Runs a live session until `ends`, and answers whether it was written down as clean. */
  readonly run: (ends: (session: RunningSession) => boolean) => Promise<boolean | undefined>;
}

async function exchange(): Promise<Exchange> {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  const world = await World.open({ seed: 3 });
  cleanups.push(() => world.close());
  const { sandbox } = world;
  const alice = sandbox.users.find(({ login }) => login === 'alice');
  const trader = sandbox.sandbox.exchange.identity.userByLogin('alice')?.trader;
  if (alice === undefined || trader === undefined) throw new Error('there is no alice');
  const { publicKey, secretKey } = alice.apiKey;
  const config = configSchema.parse({
    exchange: { baseUrl: sandbox.restUrl, gatewayUrl: sandbox.gatewayUrl, wsUrl: sandbox.wsUrl },
    journal: { dir },
    recording: { compress: false },
    reconcile: {
      signatureWindowMs: 500,
      fenceMarginMs: 100,
      earlierClockMs: 100,
      historyLagMs: 1000,
      urgentIntervalMs: 200,
    },
  });
  const entry = { file: 'strategies/spread-maker.ts', tag: TAG, params: {}, limits: {}, onStop: 'cancel' } as const;
  const strategies = await prepareStrategies({ file: undefined, params: {}, entries: [entry] });
  return {
    standing: () => trader.history?.active.size ?? 0,
    crash: async () => {
      const row = { name: 'spread-maker', tag: TAG, file: entry.file, params: {} };
      const rest = { seed: 1, account: 'alice', exchange: 'x', now: Date.now(), suffix: 'a' };
      const folder = createSession(dir, { mode: 'live', strategies: [row], ...rest });
      const stack = await Stack.start(world, { dir: folder.path });
      await stack.whenReady();
      stack.act(TAG, limit('buy', '59980', '0.01', 'a'));
      await until(() => stack.states().includes('a open'), 'a stands');
      await stack.die();
    },
    faults: async (...rules) => {
      const body = JSON.stringify({ rules });
      const answer = await fetch(`${sandbox.restUrl}/sandbox/faults`, { method: 'POST', body });
      expect(answer.status).toBe(200);
    },
    run: async (ends) => {
      const random = seededRandom(1);
      const credentials = createCredentials(publicKey, secretKey);
      const clock = createSystemClock();
      const connection = await connect({
        exchange: config.exchange,
        credentials,
        clock,
        random,
        logger: silentLogger,
        seed: 1,
      });
      try {
        const wish = {
          root: dir,
          mode: 'live',
          strategies,
          seed: 1,
          account: 'alice',
          exchange: 'x',
          fresh: false,
        } as const;
        const folder = openFolder(wish, clock.now());
        let running: RunningSession | undefined;
        await runRealtime({
          mode: 'live',
          config,
          strategies,
          folder,
          connection,
          random,
          seed: 1,
          logger: silentLogger,
          makeVenue: (context) => liveVenue(context, connection.clock, config),
          until: async (_clock: Clock) => {
            await until(() => running !== undefined && ends(running), 'the end of the session');
            return 'signal';
          },
          onStart: (session) => {
            running = session;
            return () => {};
          },
        });
        return readSession(folder.path)?.record.clean;
      } finally {
        await connection.close();
      }
    },
  };
}

it('is clean after an orderly end', async () => {
  const { run, standing } = await exchange();
  expect(await run(() => standing() > 0)).toBe(true);
  expect(standing()).toBe(0);
});

it('is not clean while an order is of unknown outcome, and goes on with it at the next start', async () => {
  const { run, faults, standing } = await exchange();
  const isLost = { match: CREATE, fault: 'drop' };
  // Or its end would wait until that order is proved to be nowhere.
  const isBlind = {
    match: { method: 'GET', path: '/api/v2/exchange/client/order/history' },
    fault: 'status',
    status: 500,
  };
  await faults(isLost);
  let blinded: 'not' | 'soon' | 'now' = 'not';
  const isUnknown = ({ engine }: RunningSession): boolean =>
    engine.executor
      .account(TAG)
      .openOrders()
      .some(({ state }) => state === 'unknown');
  const ends = (session: RunningSession): boolean => {
    if (blinded === 'not' && isUnknown(session)) {
      blinded = 'soon';
      void faults(isLost, isBlind).then(() => (blinded = 'now'));
    }
    return blinded === 'now' && isUnknown(session);
  };
  expect(await run(ends)).toBe(false);
  await faults();
  let resumed = 0;
  const clean = await run(({ engine }) => {
    resumed = Math.max(resumed, engine.executor.unresolvedCount());
    return resumed > 0 && engine.executor.unresolvedCount() === 0 && standing() > 0;
  });
  expect(resumed).toBeGreaterThan(0);
  expect(clean).toBe(true);
  expect(standing()).toBe(0);
}, 120_000);

it('takes back the orders of a crashed session although the exchange cannot be read, and calls that no clean end', async () => {
  const { run, crash, faults, standing } = await exchange();
  await crash();
  expect(standing()).toBe(1);
  await faults({ match: { method: 'GET', path: '/api/v2/exchange/client/*' }, fault: 'status', status: 500 });
  expect(await run(() => true)).toBe(false);
  expect(standing()).toBe(0);
}, 120_000);

it('stops its strategies when the session itself fails', async () => {
  const { run, standing } = await exchange();
  const failing = run(() => {
    if (standing() === 2) throw new Error('something broke');
    return false;
  });
  await expect(failing).rejects.toThrow('something broke');
  expect(standing()).toBe(0);
});
