/**
 * A paper session as a process runs it, in real time, on the embedded sandbox over real sockets; it ends when its strategies
 * have decided often enough.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { silentLogger, type Clock, type Logger } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import { configSchema } from '../../../src/session/config/schema.ts';
import { connect } from '../../../src/session/connection/connection.ts';
import { openFolder } from '../../../src/session/store/open-folder.ts';
import { paperVenue } from '../../../src/session/paper.ts';
import { runRealtime } from '../../../src/session/realtime.ts';
import type { RunningSession } from '../../../src/session/store/running-session.ts';
import { readSession, sessionFiles } from '../../../src/session/store/store.ts';
import { prepareStrategies } from '../../../src/session/strategies.ts';
import { systemClock } from '../../../src/session/clock/system-clock.ts';
import type { Recorded } from './sandbox-session.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

export interface RealPlan {
  readonly file: string;
  readonly params: Readonly<Record<string, string>>;
  readonly seed: number;
  /** Decisions after which it ends. */
  readonly decisions: number;
  readonly signalFile?: string;
  readonly logger?: Logger;
  readonly started?: (session: RunningSession) => void;
  /** Called every look, with the decisions so far. */
  readonly meanwhile?: (decisions: number) => void;
}

const LOOK_MS = 20;

export async function realSession({ file, params, seed, decisions, ...more }: RealPlan): Promise<Recorded> {
  const root = mkdtempSync(join(tmpdir(), 'tidewire-replay-'));
  roots.push(root);
  const config = configSchema.parse({ journal: { dir: root } });
  const random = seededRandom(seed);
  const { signalFile, logger = silentLogger, started, meanwhile } = more;
  const shared = { random, seed, logger };
  const strategies = await prepareStrategies({ file, params, entries: [] });
  const connection = await connect({ ...shared, exchange: config.exchange, credentials: null, clock: systemClock });
  const owner = { account: 'paper', exchange: config.exchange.baseUrl, fresh: true };
  const folder = openFolder({ root, mode: 'paper', strategies, seed, ...owner }, systemClock.now());
  const actions = join(folder.path, sessionFiles.actions);
  const until = async (clock: Clock): Promise<'signal'> => {
    const made = (): number => (existsSync(actions) ? readFileSync(actions, 'utf8').split('\n').length - 1 : 0);
    for (let count = made(); count < decisions; count = made()) {
      meanwhile?.(count);
      await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
    }
    return 'signal';
  };
  try {
    const makeVenue = (context: Parameters<typeof paperVenue>[0]) => paperVenue(context, config, random);
    await runRealtime({
      ...shared,
      mode: 'paper',
      config,
      strategies,
      folder,
      connection,
      makeVenue,
      until,
      onStart: (session) => {
        started?.(session);
        return () => {};
      },
      ...(signalFile === undefined ? {} : { signalFile }),
    });
  } finally {
    await connection.close();
  }
  return { folder: readSession(folder.path)!, config };
}
