/**
 * How a process lives and dies, drawn from the seed: killed at the n-th border or after some time, stopped and woken,
 * with a second process beside it, with a clock that steps, on a disk that becomes full or is read-only; on a network
 * that is calm or not.
 */
import { readFileSync, rmSync } from 'node:fs';
import type { Random } from '../../../src/model/ports.ts';
import type { Bot } from './bot.ts';
import { pause, within, type Child } from './child.ts';
import { calm, drawRates, type FaultRates } from './network-faults.ts';
import type { FaultyProxy } from './proxy.ts';

/** Where the counting of borders begins: with the process, or with its first order. */
export type BorderFrom = 'start' | 'trading';

export type Life = {
  readonly rates: FaultRates;
  /** A bad network from the first connection on may never let it start. */
  readonly faultsFrom: BorderFrom;
  readonly random: Random;
  /** A life that is not over by then is ended from outside; counted from its first order or its start. */
  readonly killAfterMs: number;
  readonly killFrom: BorderFrom;
  readonly clock?: { readonly afterMs: number; readonly stepMs: number };
} & (
  | { readonly kind: 'killed' }
  | { readonly kind: 'border'; readonly border: number; readonly from: BorderFrom }
  | { readonly kind: 'stopped'; readonly atMs: number; readonly forMs: number }
  | { readonly kind: 'doubled'; readonly atMs: number }
  | { readonly kind: 'disk full'; readonly atMs: number; readonly pages: number }
  | { readonly kind: 'disk read-only' }
);

export interface Border {
  readonly border: number;
  readonly from: BorderFrom;
}

export interface LifeEnd {
  readonly killed: boolean;
  readonly reached: readonly string[];
  /** Unix ms; null: it never came to decide. */
  readonly decidingFrom: number | null;
}

/** About what a start passes, and a few seconds of trading. */
const BORDERS_MAX: Readonly<Record<BorderFrom, number>> = { start: 350, trading: 250 };
/** A start may take long on a busy machine, or never succeed on a bad network. */
const START_MS_MAX = 25_000;
/** Refusing what may not run asks nobody; what remains is the start of a process on a busy machine. */
const REFUSAL_MS_MAX = 40_000;

export const lifeKinds = ['killed', 'border', 'stopped', 'doubled', 'disk full', 'disk read-only'] as const;

/** One of a kind, by drawing until it comes. */
export function drawLifeOf(random: Random, kind: Life['kind']): Life {
  for (let attempt = 0; ; attempt++) {
    const life = drawLife(random.fork(`attempt ${attempt}`));
    if (life.kind === kind) return life;
  }
}

export function drawLife(random: Random, border?: Border): Life {
  const isCalm = border !== undefined || random.next() < 0.3;
  const rates = isCalm ? calm : drawRates(random.fork('rates'));
  const killFrom: BorderFrom = random.next() < 0.2 ? 'start' : 'trading';
  const faultsFrom: BorderFrom = random.next() < 0.3 ? 'start' : 'trading';
  const killAfterMs = random.next() * 2_500;
  const common = { rates, faultsFrom, random: random.fork('network'), killAfterMs, killFrom };
  if (border !== undefined) return { ...common, kind: 'border', ...border, killAfterMs: 8_000, killFrom: 'trading' };
  const stepMs = (random.next() < 0.5 ? 1 : -1) * 10 ** (random.next() * 4.5);
  const clock = random.next() < 0.1 ? { clock: { afterMs: random.next() < 0.5 ? 0 : 1_500, stepMs } } : {};
  const chance = random.next();
  if (chance < 0.55) {
    const from = random.next() < 0.35 ? 'start' : 'trading';
    const drawn = 1 + Math.floor(random.next() * BORDERS_MAX[from]);
    return { ...common, ...clock, kind: 'border', border: drawn, from, killAfterMs: 3_000, killFrom: 'trading' };
  }
  const atMs = random.next() * 1_500;
  if (chance < 0.65) return { ...common, ...clock, kind: 'stopped', atMs, forMs: 500 + random.next() * 3_000 };
  if (chance < 0.7) return { ...common, kind: 'doubled', atMs };
  if (chance < 0.76) return { ...common, kind: 'disk full', atMs, pages: Math.floor(random.next() * 20) };
  if (chance < 0.79) return { ...common, kind: 'disk read-only' };
  return { ...common, ...clock, kind: 'killed' };
}

/** Ends of a process by itself that a network out of order explains: 3 its clock, 4 the exchange did not answer. */
const EXPLAINED: readonly (number | null)[] = [3, 4];
/** 5: nothing can be journalled any more. */
const EXPLAINED_FULL: readonly (number | null)[] = [...EXPLAINED, 1, 5];

export async function live(bot: Bot, proxy: FaultyProxy, life: Life): Promise<LifeEnd> {
  await proxy.heal();
  rmSync(bot.noteFile, { force: true });
  if (life.kind === 'disk read-only') return startReadOnly(bot);
  if (life.faultsFrom === 'start') proxy.set(life.rates, life.random);
  const env: Record<string, string> = {};
  if (life.kind === 'border') Object.assign(env, { CHAOS_DIE_AT: String(life.border), CHAOS_COUNT_FROM: life.from });
  if (life.clock !== undefined) env['CHAOS_CLOCK'] = `${life.clock.afterMs}:${Math.round(life.clock.stepMs)}`;
  const child = bot.start(env);
  const reached = [life.kind === 'border' ? 'border missed' : life.kind];
  if (life.clock !== undefined) reached.push('clock stepped');
  try {
    if (life.killFrom === 'trading') await within(START_MS_MAX, () => child.result ?? (bot.isTrading() ? true : null));
    if (life.faultsFrom === 'trading') proxy.set(life.rates, life.random);
    if (life.kind === 'disk full') await fillDisk(bot, child, life);
    if (life.kind === 'stopped') await stopAndWake(child, life.atMs, life.forMs);
    if (life.kind === 'doubled') reached.push(await startSecond(bot, child, life.atMs));
    await within(life.killAfterMs, () => child.result);
  } finally {
    await child.end('SIGKILL');
    bot.disk?.mend();
  }
  const ended = await child.ended;
  if (bot.isTrading()) reached.push('traded');
  if (ended.signal === 'SIGKILL') {
    if (life.kind === 'border') reached[0] = borderOf(bot) ?? 'border missed';
    return { killed: true, reached, decidingFrom: bot.decidingFrom(child) };
  }
  const explained = life.kind === 'disk full' ? EXPLAINED_FULL : EXPLAINED;
  const isExplained = explained.includes(ended.code) && child.errorCode !== 'internal';
  if (!isExplained || (ended.code === 4 && life.rates === calm)) {
    throw new Error(`a process ended by itself with ${ended.code} ${ended.signal}:\n${child.said.slice(-3_000)}`);
  }
  return {
    killed: false,
    reached: [`${life.kind} ended by itself with ${ended.code} ${child.errorCode}`],
    decidingFrom: bot.decidingFrom(child),
  };
}

async function fillDisk(bot: Bot, child: Child, life: Life & { readonly kind: 'disk full' }): Promise<void> {
  await within(life.atMs, () => child.result);
  bot.disk?.fill(life.pages);
}

/** Nothing can be journalled, so nothing may run: refused with a sentence. */
async function startReadOnly(bot: Bot): Promise<LifeEnd> {
  if (bot.disk === null)
    return { killed: false, reached: ['disk read-only not tried: needs root'], decidingFrom: null };
  bot.disk.readOnly();
  const child = bot.start({});
  try {
    const ended = await within(REFUSAL_MS_MAX, () => child.result);
    if (bot.isTrading() || ended?.code === 0) throw new Error(`a process runs on a read-only disk: ${child.said}`);
    if (ended === null) throw new Error(`a start on a read-only disk was not refused: ${child.said}`);
    if (['', 'internal'].includes(child.errorCode))
      throw new Error(`a start on a read-only disk did not name it: ${child.said}`);
    return {
      killed: false,
      reached: [`read-only disk refused with ${ended.code} ${child.errorCode}`],
      decidingFrom: null,
    };
  } finally {
    await child.end('SIGKILL');
    bot.disk.mend();
  }
}

async function stopAndWake(child: Child, atMs: number, forMs: number): Promise<void> {
  await within(atMs, () => child.result);
  child.signal('SIGSTOP');
  await pause(forMs);
  child.signal('SIGCONT');
}

/**
 * Two writers of one account never run: the second is refused whatever the network does, or, when the first had died or
 * had not begun, the only one.
 */
async function startSecond(bot: Bot, first: Child, atMs: number): Promise<string> {
  await within(atMs, () => first.result);
  const hasBegun = bot.isTrading();
  const second = bot.start({});
  const ended = await within(
    REFUSAL_MS_MAX,
    () => second.result ?? (first.result === null ? null : { code: null, signal: null }),
  );
  await second.end('SIGKILL');
  const isHeld = first.result === null;
  if (isHeld && bot.isDeciding(second)) throw new Error('a second process ran beside the first');
  if (ended === null) throw new Error(`the second process was not refused: ${second.said}`);
  if (isHeld && (hasBegun ? ended.code !== 3 : ended.code === 0))
    throw new Error(`the second process ended with ${ended.code}: ${second.said}`);
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
