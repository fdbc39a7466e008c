/** How a human changes a running session's limits: a proposal, its confirmation by a code, then an order file. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Executor } from '../../execution/executor.ts';
import { limitsSchema, riskSchema } from '../../risk/options.ts';
import { parseLimitPath, withOverride } from '../../risk/limit-book.ts';
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import type { Approval } from './approved-versions.ts';
import { sessionErrors } from '../errors.ts';
import { sessionFiles } from '../store/store.ts';
import { postOrder, takeOrder, withdrawOrder } from './order-file.ts';

const LOOK_MS = 250;
/** For a confirmation, and for heeding the confirmed order. */
export const CONFIRM_WITHIN_MS = 60_000;
const PROPOSAL_FILE = 'limits-proposal.json';

const override = z.object({
  kind: z.literal('override'),
  id: z.string(),
  limit: z.string(),
  /** Null removes the override. */
  value: z.string().nullable(),
  forMs: z.number(),
  reason: z.string(),
  /** Machine time. */
  at: z.number(),
});
const enable = z.object({
  kind: z.literal('enable'),
  id: z.string(),
  strategy: z.string(),
  reason: z.string(),
  at: z.number(),
});
const resume = z.object({
  kind: z.literal('resume'),
  id: z.string(),
  symbol: z.string(),
  reason: z.string(),
  at: z.number(),
});
const pause = z.object({
  kind: z.literal('pause'),
  id: z.string(),
  strategy: z.string(),
  on: z.boolean(),
  reason: z.string(),
  at: z.number(),
});
const widen = z.object({
  kind: z.literal('widen'),
  id: z.string(),
  strategy: z.string(),
  reason: z.string(),
  at: z.number(),
});
const order = z.discriminatedUnion('kind', [override, enable, pause, resume, widen]);
/** These allow more, so they need two steps. */
const proposed = z.discriminatedUnion('kind', [override, widen]);
const proposal = z.object({ codeHash: z.string(), order: proposed });

export type LimitOrder = z.output<typeof order>;
export type ProposedOrder = z.output<typeof proposed>;

function hashOf(code: string): string {
  return createHash('sha256').update(code.toUpperCase()).digest('hex');
}

export function newId(): string {
  return randomBytes(6).toString('hex');
}

/** Returns the confirmation code. Throws `limit_unknown`, `limit_value`. */
export function proposeOverride(path: string, wanted: z.output<typeof override>): string {
  const named = parseLimitPath(wanted.limit);
  // Checks the value alone; the session checks the strategy.
  const strategies = new Map(named.scope === 'strategy' ? [[named.of, limitsSchema.parse({})]] : []);
  if (wanted.value !== null) withOverride({ risk: riskSchema.parse({}), strategies }, wanted.limit, wanted.value);
  return propose(path, wanted);
}

export function proposeWidening(path: string, wanted: z.output<typeof widen>): string {
  return propose(path, wanted);
}

function propose(path: string, wanted: ProposedOrder): string {
  const code = randomBytes(3).toString('hex').toUpperCase();
  const text = JSON.stringify({ codeHash: hashOf(code), order: wanted });
  writeFileSync(join(path, PROPOSAL_FILE), `${text}\n`, { mode: 0o600 });
  return code;
}

/** To be ordered now. Throws `limit_not_confirmed`. */
export function confirmProposal(path: string, code: string, now: number): ProposedOrder {
  const file = join(path, PROPOSAL_FILE);
  const fail = (why: string): Error => sessionErrors.make('limit_not_confirmed', why, {});
  if (!existsSync(file)) throw fail('nothing is proposed for this session');
  const parsed = proposal.safeParse(jsonOf(file));
  if (!parsed.success) throw fail(`${file} cannot be read`);
  const { codeHash, order: wanted } = parsed.data;
  const age = now - wanted.at;
  if (age > CONFIRM_WITHIN_MS || age < 0) {
    rmSync(file, { force: true });
    throw fail(`the proposal is ${Math.round(age / 1000)} s old; it had to be confirmed within a minute`);
  }
  if (!timingSafeEqual(Buffer.from(hashOf(code)), Buffer.from(codeHash))) throw fail('the code is another one');
  rmSync(file, { force: true });
  return { ...wanted, at: now };
}

/** False while an earlier order waits to be heeded. */
export function orderLimits(path: string, wanted: LimitOrder): boolean {
  return postOrder(join(path, sessionFiles.limits), wanted);
}

/** False: the session has taken it over. */
export function withdrawLimits(path: string, id: string): boolean {
  return withdrawOrder(join(path, sessionFiles.limits), id);
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export interface LimitControl {
  readonly path: string;
  readonly executor: Pick<Executor, 'human'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly approved: (approval: Pick<Approval, 'strategy' | 'version' | 'reason'>) => void;
  /** In session time, `now`. */
  readonly deliver: (run: (now: number) => void) => void;
}

export function watchLimitOrders(control: LimitControl): Cancel {
  return control.clock.every(LOOK_MS, () => heedLimitOrder(control));
}

function heedLimitOrder({ path, executor, clock, logger, approved, deliver }: LimitControl): void {
  const file = join(path, sessionFiles.limits);
  const taken = takeOrder(file);
  if (taken === undefined) return;
  const parsed = order.safeParse(taken.content);
  if (!parsed.success) {
    logger.error({}, `${file} was not an order about limits and is passed over`);
    return;
  }
  const wanted = parsed.data;
  const age = clock.now() - wanted.at;
  if (Math.abs(age) > CONFIRM_WITHIN_MS) {
    logger.error({ id: wanted.id }, 'an order about limits is too old and is passed over');
    return;
  }
  deliver((now) => {
    try {
      if (wanted.kind === 'enable') executor.human.enable(wanted.strategy, wanted.reason);
      else if (wanted.kind === 'pause') executor.human.pause(wanted.strategy, wanted.on, wanted.reason);
      else if (wanted.kind === 'resume') executor.human.resume(wanted.symbol, wanted.reason);
      else if (wanted.kind === 'widen') {
        const { strategy, reason } = wanted;
        approved({ strategy, version: executor.human.widen(strategy, reason), reason });
      } else {
        const { id, limit, value, forMs, reason } = wanted;
        executor.human.overrideLimit({ id, limit, value, until: now + forMs, reason });
      }
    } catch (thrown) {
      logger.error({ id: wanted.id }, `an order about limits was refused: ${messageOf(thrown)}`);
    }
  });
}
