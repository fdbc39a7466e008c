/**
 * A seeded storm: random actions of two strategies, a counterparty that trades, and random faults on every request and
 * push, now and then a death of the process with a restart on its journal. Then the faults end and everything must hold.
 */
import type { Action } from '../../src/model/trading/action.ts';
import type { Random } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { settled } from './checks.ts';
import { Stack, SYMBOL, TAGS, tempDir, until, World } from './live-stack.ts';
import { CANCEL, CANCEL_MANY, CREATE, limit, market } from './scenario.ts';

export interface StormOptions {
  readonly seed: number;
  readonly steps: number;
}

/** Alarms that tell of a fault that was survived. */
const EXPECTED = ['killed', 'late_fill', 'flatten_stuck', 'stray_overflow'];

/** How often rare states were reached: a storm that never reaches them proves nothing (reliability §3.3). */
export type Reached = Map<string, number>;

function reachedIn(stack: Stack): Reached {
  const reached: Reached = new Map();
  const count = (name: string): void => void reached.set(name, (reached.get(name) ?? 0) + 1);
  for (const { entry } of stack.rows()) {
    if (entry.kind === 'outcome') count(`outcome ${entry.outcome.kind}`);
    if (entry.kind === 'closed') count(`concluded ${entry.state}`);
    if (entry.kind === 'fill' || entry.kind === 'order') count(`${entry.kind} by ${entry.source}`);
    if (entry.kind === 'alarm') count(`alarm ${entry.code}`);
    if (entry.kind === 'correction' || entry.kind === 'adjustment') count(entry.kind);
    if (entry.kind === 'session') count(`session ${entry.event}`);
    if (entry.kind === 'denial') count(`denied ${entry.reason}`);
  }
  return reached;
}

export async function storm({ seed, steps }: StormOptions): Promise<Reached> {
  const random = seededRandom(seed).fork('storm');
  const clientOrderIds = random.next() < 0.5;
  const world = await World.open({ clientOrderIds, seed });
  const { dir, remove } = tempDir();
  world.later(remove);
  let boot = 1;
  const kill = random.next() < 0.15 ? Math.floor(random.next() * steps) : -1;
  try {
    let stack = await Stack.start(world, { dir, seed });
    await stack.whenReady();
    for (let step = 0; step < steps; step++) {
      if (random.next() < 0.15) await world.faults(...faultsOf(random));
      if (step === kill) {
        const { connection, clock, executor } = stack;
        clock.deliver(connection.clock.nowUs(), () => executor.kill(`seed ${seed}`));
      }
      if (random.next() < 0.015) {
        await stack.die();
        boot++;
        if (random.next() < 0.5) await world.faults();
        const before = stack.violations;
        stack = await Stack.start(world, { dir, seed: seed + boot, bootId: `b${boot}` });
        stack.violations.push(...before);
      } else {
        stack.act(pick(random, TAGS), actionOf(random));
      }
      if (random.next() < 0.4) counterparty(world, random);
      await pause(random.next() * 20);
    }
    await world.faults();
    const reached = reachedIn(stack);
    await settled(stack, dir, { alarms: EXPECTED });
    return reached;
  } catch (thrown) {
    throw new Error(`seed ${seed} (clientOrderIds ${clientOrderIds}, ${boot} boots): ${String(thrown)}`, {
      cause: thrown,
    });
  } finally {
    await world.close();
  }
}

function pick<T>(random: Random, from: readonly T[]): T {
  const chosen = from[Math.floor(random.next() * from.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
}

async function pause(ms: number): Promise<void> {
  const end = Date.now() + ms;
  await until(() => Date.now() >= end, 'a pause');
}

function actionOf(random: Random): Action {
  const near = (base: number): number => base + Math.floor(random.next() * 20);
  const quantity = `0.0${1 + Math.floor(random.next() * 5)}`;
  const bid = near(59_975);
  const chance = random.next();
  if (chance < 0.25) return limit('buy', String(bid), quantity);
  if (chance < 0.4) return limit('sell', String(near(60_005)), quantity);
  if (chance < 0.5) return market(random.next() < 0.5 ? 'buy' : 'sell', quantity);
  if (chance < 0.7) {
    const legs = (price: number) => (random.next() < 0.8 ? [{ price, quantity }] : []);
    return { kind: 'quote', symbol: SYMBOL, bids: legs(Math.min(bid, 59_995)), asks: legs(near(60_005)) };
  }
  if (chance < 0.8) return { kind: 'target', symbol: SYMBOL, quantity: random.next() < 0.3 ? '0' : quantity };
  if (chance < 0.88) return { kind: 'cancelAll' };
  if (chance < 0.95) return { kind: 'cancel', ref: `${pick(random, TAGS)}-${1 + Math.floor(random.next() * 20)}` };
  return { kind: 'flatten' };
}

function counterparty(world: World, random: Random): void {
  const quantity = `0.0${1 + Math.floor(random.next() * 6)}`;
  if (random.next() < 0.5) world.trade('bob', 'sell', '59990', quantity, true);
  else world.trade('bob', 'buy', '60010', quantity, true);
  // Bob's own resting orders are the market; what he took of them comes back.
  world.trade('bob', 'buy', '59985', '0.05');
  world.trade('bob', 'sell', '60015', '0.05');
}

/** A few rules at once, each with its chance. */
function faultsOf(random: Random): readonly object[] {
  const path = () => pick(random, [CREATE, CANCEL, CANCEL_MANY, { method: 'GET', path: '/api/v2/exchange/client/*' }]);
  const channel = () => pick(random, ['my-trades', 'order-info', 'order-history', '*']);
  const p = () => 0.1 + random.next() * 0.6;
  const menu: readonly (() => object)[] = [
    () => ({ match: path(), fault: 'drop', p: p() }),
    () => ({ match: path(), fault: 'dropAfterEffect', p: p() }),
    () => ({ match: path(), fault: 'status', status: pick(random, [404, 418, 429, 500, 502, 503]), p: p() }),
    () => ({ match: path(), fault: 'delay', ms: Math.floor(random.next() * 200), p: p() }),
    () => ({ match: path(), fault: 'rateLimit', ms: 100, p: 0.1 }),
    () => ({ match: { channel: `${SYMBOL}@${channel()}` }, fault: 'mute', p: p() }),
    () => ({ match: { channel: `${SYMBOL}@${channel()}` }, fault: 'gap', p: p() }),
    () => ({
      match: { channel: `${SYMBOL}@${channel()}` },
      fault: 'delay',
      ms: Math.floor(random.next() * 300),
      p: p(),
    }),
    // Rare, since the gate stays shut until the socket is back.
    () => ({ fault: 'disconnect', times: 1, p: 0.2 }),
  ];
  const rules: object[] = [];
  const count = Math.floor(random.next() * 4);
  for (let index = 0; index < count; index++) rules.push(pick(random, menu)());
  return rules;
}
