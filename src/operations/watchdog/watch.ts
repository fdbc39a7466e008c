/**
 * The watchdog process: checks heartbeat, journal and exchange. When the rules demand it, it writes the kill file and
 * cancels all orders like `panic`, then ends.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Exchange } from '../../exchange/exchange.ts';
import { utcDay } from '../../model/time.ts';
import { messageOf } from '../../model/errors.ts';
import type { Clock, Logger } from '../../model/ports.ts';
import { readBeat } from '../../session/store/heartbeat.ts';
import { writeKillFile } from '../../session/emergency/kill-file.ts';
import { writeOwnerFile } from '../../session/store/owner-file.ts';
import { cancelEverything, Problems, type Cancelled } from '../../session/emergency/panic.ts';
import { readSession, sessionFiles } from '../../session/store/store.ts';
import type { ExchangeEyes, ExchangeSight } from './exchange-sight.ts';
import { JournalSight } from './journal-sight.ts';
import { judge, WatchRulesMemory, type Sight, type WatchRules } from './rules.ts';

export interface WatchOptions {
  /** Of the session. */
  readonly path: string;
  readonly exchange: Exchange;
  readonly eyes: ExchangeEyes;
  readonly rules: WatchRules;
  /** The machine's; never compared with the bot's times. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Interval of checks of journal and exchange. */
  readonly everyMs: number;
  /** Notified when an alarm begins or begins again, and when it latches. */
  readonly tell: (code: 'watchdog' | 'pulled', text: string) => void;
  /** Resolves at a human's interrupt. */
  readonly stop: Promise<unknown>;
}

export interface WatchReport {
  readonly ended: 'pulled' | 'session' | 'stopped';
  readonly looks: number;
  readonly alarms: readonly string[];
  readonly pulled: (Cancelled & { readonly reason: string; readonly problems: readonly string[] }) | null;
}

const HEARTBEAT_LOOK_MS = 1_000;
const DAY_FILE = 'watchdog.json';
const dayShape = z.object({ day: z.string(), equity: z.number(), at: z.number().default(0) });

export async function watch(options: WatchOptions): Promise<WatchReport> {
  const { path, eyes, rules, clock, logger, everyMs } = options;
  const journal = new JournalSight(path);
  const pulse = new Pulse(join(path, sessionFiles.heartbeat), clock);
  const memory = new WatchRulesMemory();
  const alarms = new Set<string>();
  let lasting: ReadonlySet<string> = new Set();
  let stopped = false;
  void options.stop.then(() => {
    stopped = true;
  });
  let looks = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let seen: Sight | null = null;
  while (!stopped) {
    if (readSession(path)?.record.clean === true) return { ended: 'session', looks, alarms: [...alarms], pulled: null };
    const heartbeatAgeMs = pulse.ageMs();
    // A heartbeat that just became stale calls for a check at once.
    const justStale = heartbeatAgeMs >= rules.staleMs && (seen?.heartbeatAgeMs ?? 0) < rules.staleMs;
    if (justStale || clock.now() - lookedAt >= everyMs) {
      lookedAt = clock.now();
      looks++;
      const problem = journal.look();
      const state = problem === null ? journal.state : null;
      const sight = await eyes.look(state);
      const killed = state?.killReason !== undefined;
      seen = {
        ...(await told(options, sight)),
        heartbeatAgeMs,
        journalOpen: state === null ? null : journal.openCount,
        killed,
      };
      if (problem !== null) seen = { ...seen, problems: [problem, ...seen.problems] };
      const { alarms: raised, pull } = judge(seen, rules, memory, clock.now());
      const kinds = new Set<string>();
      for (const alarm of raised) {
        const kind = kindOf(alarm);
        if (!lasting.has(kind) && !kinds.has(kind)) {
          logger.warn({}, alarm);
          options.tell('watchdog', alarm);
        }
        kinds.add(kind);
        alarms.add(kind);
      }
      lasting = kinds;
      if (pull !== null) return { ended: 'pulled', looks, alarms: [...alarms], pulled: await pullLatch(options, pull) };
    }
    await pause(clock, HEARTBEAT_LOOK_MS, options.stop);
  }
  return { ended: 'stopped', looks, alarms: [...alarms], pulled: null };
}

/** An alarm without its numbers, which change between looks. */
function kindOf(alarm: string): string {
  return alarm.replaceAll(/-?\d+(\.\d+)?/g, '#');
}

async function pullLatch({ path, exchange, clock, logger, tell }: WatchOptions, reason: string) {
  logger.error({}, `pulling the latch: ${reason}`);
  tell('pulled', reason);
  const problems = new Problems();
  try {
    writeKillFile(join(path, sessionFiles.kill), `watchdog: ${reason}`);
  } catch (thrown) {
    problems.add(`the session could not be notified: ${messageOf(thrown)}`);
  }
  const cancelled = await cancelEverything(exchange, clock, problems);
  return { reason, ...cancelled, problems: problems.list() };
}

/** Whether the heartbeat changes, by own clock; a bot without one has just begun. */
class Pulse {
  readonly #file: string;
  readonly #clock: Clock;
  #last: string | null = null;
  #changedAt: number;

  constructor(file: string, clock: Clock) {
    this.#file = file;
    this.#clock = clock;
    this.#changedAt = clock.now();
  }

  ageMs(): number {
    const text = readBeat(this.#file);
    if (text !== this.#last) {
      this.#last = text;
      this.#changedAt = this.#clock.now();
    }
    return this.#clock.now() - this.#changedAt;
  }
}

/**
 * Adds the equity of the day's first look, less withdrawals since, which are asked for only at a loss; if unknown there
 * is no reason to latch.
 */
async function told(
  { path, clock, eyes, rules }: WatchOptions,
  sight: ExchangeSight,
): Promise<Omit<Sight, 'heartbeatAgeMs' | 'journalOpen' | 'killed'>> {
  const { equity } = sight;
  if (equity === null) return { ...sight, dayEquity: null };
  const file = join(path, DAY_FILE);
  const day = utcDay(clock.now());
  const known = dayOf(file);
  if (known?.day === day) {
    if (known.equity - equity < known.equity * rules.dailyLossFraction) return { ...sight, dayEquity: known.equity };
    const out = await eyes.movedOut(known.at);
    if (typeof out === 'number') return { ...sight, dayEquity: known.equity - out };
    return { ...sight, dayEquity: null, problems: [...sight.problems, out] };
  }
  try {
    writeOwnerFile(file, `${JSON.stringify({ day, equity, at: clock.now() })}\n`, { replace: true });
  } catch {
    // Without the file the day's loss restarts at the next look; this is reported.
    return { ...sight, dayEquity: equity, problems: [...sight.problems, `${file} cannot be written`] };
  }
  return { ...sight, dayEquity: equity };
}

function dayOf(file: string): z.output<typeof dayShape> | null {
  try {
    return dayShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

async function pause(clock: Clock, ms: number, stop: Promise<unknown>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const cancel = clock.after(ms, over.resolve);
  await Promise.race([over.promise, stop]);
  cancel();
}
