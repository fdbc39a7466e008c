/**
 * How a process lives and dies, drawn from the seed: killed at the n-th border or after some time, stopped and woken,
 * with a second process beside it, with a clock that steps; on a network that is calm or not.
 */
import { readFileSync, rmSync } from 'node:fs';
import type { Random } from '../../../src/model/ports.ts';
import type { Bot } from './bot.ts';
import { pause, within, type Child } from './child.ts';
import { calm, drawRates, type FaultRates } from './network-faults.ts';
import type { FaultyProxy } from './proxy.ts';

export type Life = {
  readonly rates: FaultRates;
  readonly random: Random;
  /** A life that is not over by then is ended from outside. */
  readonly killAfterMs: number;
  readonly clock?: { readonly afterMs: number; readonly stepMs: number };
} & (
  | { readonly kind: 'killed' }
  | { readonly kind: 'border'; readonly border: number }
  | { readonly kind: 'stopped'; readonly atMs: number; readonly forMs: number }
  | { readonly kind: 'doubled'; readonly atMs: number }
);

export interface LifeEnd {
  readonly killed: boolean;
  readonly reached: readonly string[];
}

/** About what a life of a few seconds passes; larger numbers are drawn more rarely. */
const BORDERS_MAX = 900;

export function drawLife(random: Random, border?: number): Life {
  const isCalm = border !== undefined || random.next() < 0.3;
  const rates = isCalm ? calm : drawRates(random.fork('rates'));
  const common = { rates, random: random.fork('network'), killAfterMs: 1_200 + random.next() * 3_000 };
  if (border !== undefined) return { ...common, kind: 'border', border, killAfterMs: 15_000 };
  const stepMs = (random.next() < 0.5 ? 1 : -1) * 10 ** (random.next() * 4.5);
  const clock = random.next() < 0.1 ? { clock: { afterMs: random.next() < 0.5 ? 0 : 1_500, stepMs } } : {};
  const chance = random.next();
  if (chance < 0.55) {
    const drawn = 1 + Math.floor(random.next() ** 2 * BORDERS_MAX);
    return { ...common, ...clock, kind: 'border', border: drawn, killAfterMs: 6_000 };
  }
  const atMs = 800 + random.next() * 1_500;
  if (chance < 0.65) return { ...common, ...clock, kind: 'stopped', atMs, forMs: 500 + random.next() * 3_000 };
  if (chance < 0.7) return { ...common, kind: 'doubled', atMs };
  return { ...common, ...clock, kind: 'killed' };
}

/** Ends of a process by itself that a network out of order explains: 3 its clock, 4 the exchange did not answer. */
const EXPLAINED = [3, 4];

export async function live(bot: Bot, proxy: FaultyProxy, life: Life): Promise<LifeEnd> {
  await proxy.heal();
  rmSync(bot.noteFile, { force: true });
  proxy.set(life.rates, life.random);
  const env: Record<string, string> = {};
  if (life.kind === 'border') env['CHAOS_DIE_AT'] = String(life.border);
  if (life.clock !== undefined) env['CHAOS_CLOCK'] = `${life.clock.afterMs}:${Math.round(life.clock.stepMs)}`;
  const child = bot.start(env);
  const reached = [life.kind === 'border' ? 'border missed' : life.kind];
  if (life.clock !== undefined) reached.push('clock stepped');
  try {
    if (life.kind === 'stopped') await stopAndWake(child, life.atMs, life.forMs);
    if (life.kind === 'doubled') reached.push(await startSecond(bot, child, life.atMs));
    await within(life.killAfterMs, () => child.result);
  } finally {
    await child.end('SIGKILL');
  }
  const ended = await child.ended;
  if (ended.signal === 'SIGKILL') {
    if (life.kind === 'border') reached[0] = borderOf(bot) ?? 'border missed';
    return { killed: true, reached };
  }
  if (ended.code === null || !EXPLAINED.includes(ended.code) || (ended.code === 4 && life.rates === calm)) {
    throw new Error(`a process ended by itself with ${ended.code} ${ended.signal}:\n${child.said.slice(-3_000)}`);
  }
  return { killed: false, reached: [`ended by itself with ${ended.code}`] };
}

async function stopAndWake(child: Child, atMs: number, forMs: number): Promise<void> {
  await within(atMs, () => child.result);
  child.signal('SIGSTOP');
  await pause(forMs);
  child.signal('SIGCONT');
}

/** Two writers of one account never run: the second is refused, or, when the first had died, the only one. */
async function startSecond(bot: Bot, first: Child, atMs: number): Promise<string> {
  await within(atMs, () => first.result);
  const isHeld = first.result === null && first.said.includes('session');
  const second = bot.start({});
  const ended = await within(
    20_000,
    () => second.result ?? (first.result === null ? null : { code: null, signal: null }),
  );
  await second.end('SIGKILL');
  if (ended === null) throw new Error('a second process ran beside the first');
  if (isHeld && ended.code === 0) throw new Error(`the second process ended with ${ended.code}: ${second.said}`);
  return ended.code === 3 ? 'second refused' : `second ended with ${ended.code}`;
}

function borderOf(bot: Bot): string | null {
  try {
    return `border: ${readFileSync(bot.noteFile, 'utf8')
      .replace(/^\d+ /, '')
      .replaceAll(/[0-9A-F]{8}[0-9A-F-]{10,}|\d{6,}/gi, '#')}`;
  } catch {
    return null;
  }
}
