/**
 * Found by reading: a session was written down as ended orderly although an order of it was of unknown fate, or although
 * orders of the crashed process before it still stood because the exchange could not be read. The next start then began
 * a new session, and nobody ever looked at those orders again (O29, O30).
 */
import { afterEach, expect, it } from 'vitest';
import type { Clock } from '../../src/model/ports.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { connect } from '../../src/session/connection.ts';
import { liveVenue } from '../../src/session/live.ts';
import { openFolder } from '../../src/session/open-folder.ts';
import { runRealtime, type RunningSession } from '../../src/session/realtime.ts';
import { readSession } from '../../src/session/store.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { createSystemClock } from '../../src/session/system-clock.ts';
import { tempDir, until } from '../e2e/live-stack.ts';
import { CREATE } from '../e2e/scenario.ts';

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const TAG = 'spread-maker';

interface Exchange {
  readonly faults: (...rules: readonly object[]) => Promise<void>;
  readonly standing: () => number;
  /** Runs a live session until `ends`, and answers whether it was written down as clean. */
  readonly run: (ends: (session: RunningSession) => boolean) => Promise<boolean | undefined>;
}

async function exchange(): Promise<Exchange> {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  const sandbox = await startSandbox({ port: 0, clock: createSystemClock(), seed: 3, logger: silentLogger });
  cleanups.push(() => sandbox.stop());
  const alice = sandbox.users.find(({ login }) => login === 'alice');
  const trader = sandbox.sandbox.exchange.identity.userByLogin('alice')?.trader;
  if (alice === undefined || trader === undefined) throw new Error('there is no alice');
  const { publicKey, secretKey } = alice.apiKey;
  const config = configSchema.parse({
    exchange: { baseUrl: sandbox.restUrl, gatewayUrl: sandbox.gatewayUrl, wsUrl: sandbox.wsUrl },
    journal: { dir },
    recording: { compress: false },
    reconcile: { signatureWindowMs: 500, fenceMarginMs: 100, historyLagMs: 1000, urgentIntervalMs: 200 },
  });
  const strategies = await prepareStrategies({
    file: 'strategies/spread-maker.ts',
    params: { halfSpreadBps: '100' },
    entries: [],
  });
  return {
    standing: () => trader.history?.active.size ?? 0,
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
        const folder = openFolder({ ...wish, now: clock.now() });
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

it('is not clean while an order is of unknown fate, and goes on with it at the next start', async () => {
  const { run, faults, standing } = await exchange();
  await faults({ match: CREATE, fault: 'drop' });
  const isUnknown = ({ engine }: RunningSession): boolean =>
    engine.executor
      .account(TAG)
      .openOrders()
      .some(({ state }) => state === 'unknown');
  expect(await run(isUnknown)).toBe(false);
  await faults();
  let resumed = 0;
  const clean = await run(({ engine }) => {
    resumed = Math.max(resumed, engine.executor.unresolvedCount());
    return resumed > 0 && engine.executor.unresolvedCount() === 0 && standing() > 0;
  });
  expect(resumed).toBeGreaterThan(0);
  expect(clean).toBe(true);
  expect(standing()).toBe(0);
});

it('takes back the orders of a crashed session although the exchange cannot be read', async () => {
  const { run, faults, standing } = await exchange();
  const crash = run((_session) => {
    if (standing() > 0) throw new Error('crashed');
    return false;
  });
  await expect(crash).rejects.toThrow('crashed');
  expect(standing()).toBeGreaterThan(0);
  await faults({ match: { method: 'GET', path: '/api/v2/exchange/client/*' }, fault: 'status', status: 500 });
  expect(await run(() => true)).toBe(true);
  expect(standing()).toBe(0);
});
