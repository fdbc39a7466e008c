/**
 * A paper or live session, whole as a process runs it, against the sandbox in the same process, both on a virtual clock: ten
 * seconds of session take a fraction of one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { createExchange } from '../../../src/exchange/exchange.ts';
import { Instruments } from '../../../src/model/market/instrument.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import { createInMemorySandbox, type InMemorySandbox } from '../../../src/sandbox/in-memory.ts';
import { configSchema, type Config } from '../../../src/session/config/schema.ts';
import type { Connection } from '../../../src/session/connection/connection.ts';
import { liveVenue } from '../../../src/session/live.ts';
import { openFolder } from '../../../src/session/store/open-folder.ts';
import { paperVenue } from '../../../src/session/paper.ts';
import { realtimeResult } from '../../../src/session/result/realtime-result.ts';
import { runRealtime } from '../../../src/session/realtime.ts';
import { shiftedClock } from '../../../src/session/clock/shifted-clock.ts';
import { notEnded, readSession, writeSession, type SessionFolder } from '../../../src/session/store/store.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';
import { sessionEnd } from '../../../src/session/clock/until.ts';
import { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

const START_MS = 1_750_000_000_000;

export interface FaultsAt {
  readonly afterMs: number;
  readonly rules: readonly object[];
}

export interface SessionPlan {
  readonly mode: 'paper' | 'live';
  readonly file: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly seed: number;
  readonly forMs: number;
  readonly faults?: readonly FaultsAt[];
  /** The process stands still for so long at that time. */
  readonly stall?: { readonly afterMs: number; readonly ms: number };
  readonly config?: object;
  /** Its process is taken for dead, and a second one goes on with it. */
  readonly goesOn?: boolean;
  /** When the world begins, Unix ms. */
  readonly startMs?: number;
}

export interface Recorded {
  readonly folder: SessionFolder;
  readonly config: Config;
}

export async function recordedSession(plan: SessionPlan): Promise<Recorded> {
  const { mode, file, params = {}, seed, forMs } = plan;
  const world = new VirtualClock((plan.startMs ?? START_MS) * 1000 + seed * 54_321);
  const sandbox = createInMemorySandbox({ clock: world, seed });
  const root = mkdtempSync(join(tmpdir(), 'tidewire-replay-'));
  roots.push(root);
  const exchange = { baseUrl: sandbox.restUrl, gatewayUrl: sandbox.gatewayUrl, wsUrl: sandbox.wsUrl };
  const config = configSchema.parse({ ...plan.config, exchange, journal: { dir: root } });
  const random = seededRandom(seed);
  for (const { afterMs, rules } of plan.faults ?? []) world.after(afterMs, () => inject(sandbox, rules));
  const { stall } = plan;
  if (stall !== undefined) world.after(stall.afterMs, () => world.jumpTo(world.nowUs() + stall.ms * 1000));
  const strategies = await prepareStrategies({ file, params, entries: [] });
  const owner = { account: mode === 'live' ? 'alice' : 'paper', exchange: sandbox.restUrl };
  const running = async (fresh: boolean): Promise<SessionFolder> => {
    const connection = await connected(sandbox, world, config, mode, random.fork('connection'));
    const folder = openFolder({ root, mode, strategies, seed, ...owner, fresh }, world.now());
    const run = await runRealtime({
      mode,
      config,
      strategies,
      folder,
      connection,
      random,
      seed,
      logger: silentLogger,
      makeVenue: (context) =>
        mode === 'paper' ? paperVenue(context, config, random) : liveVenue(context, connection.clock, config),
      until: (clock, failed) => sessionEnd({ clock, forMs, interrupted: new Promise(() => {}), failed }),
    });
    realtimeResult(run);
    await connection.close();
    return readSession(folder.path)!;
  };
  let folder = await pumped(world, running(true));
  if (plan.goesOn === true) {
    writeSession(folder.path, { ...folder.record, ...notEnded });
    folder = await pumped(world, running(false));
  }
  sandbox.stop();
  return { folder, config };
}

async function connected(
  sandbox: InMemorySandbox,
  world: VirtualClock,
  config: Config,
  mode: SessionPlan['mode'],
  random: ReturnType<typeof seededRandom>,
): Promise<Connection> {
  const clock = shiftedClock(world);
  const { http, sockets, users } = sandbox;
  const key = users[0]!.apiKey;
  const exchange = createExchange({
    options: config.exchange,
    credentials: mode === 'live' ? createCredentials(key.publicKey, key.secretKey) : null,
    clock,
    random,
    logger: silentLogger,
    httpTransports: { orders: http, reconcile: http, public: http },
    socketTransport: sockets,
  });
  const spot = await exchange.marketData.spotInstruments();
  const derivative = await exchange.marketData.derivativeInstruments();
  if (spot.kind === 'failed') throw spot.error;
  if (derivative.kind === 'failed') throw derivative.error;
  if (mode === 'live') await exchange.clockOffset.start((ms) => clock.shift(ms));
  const instruments = new Instruments([...spot.value, ...derivative.value]);
  return {
    exchange,
    instruments,
    clock,
    offsetMs: 0,
    name: 'sandbox',
    publicKey: null,
    sandbox: null,
    close: () => exchange.close(),
  };
}

function inject(sandbox: InMemorySandbox, rules: readonly object[]): void {
  const request = {
    method: 'POST' as const,
    url: `${sandbox.restUrl}/sandbox/faults`,
    headers: {},
    body: JSON.stringify({ rules }),
  };
  sandbox.http.request(request, 1000, (result) => {
    if (result.kind !== 'response' || result.status >= 300) throw new Error(`no faults: ${JSON.stringify(result)}`);
  });
}

/** Lets virtual time pass, and promises and files have their turn, until the work is done. */
async function pumped<T>(world: VirtualClock, work: Promise<T>): Promise<T> {
  let over = false;
  const end = work.finally(() => {
    over = true;
  });
  end.catch(() => {});
  while (!over) {
    world.step();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return end;
}
