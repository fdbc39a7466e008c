/** How `cancel` and `cancel-all` reach a running session: an order file, heeded four times a second, and a row of it. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Executor } from '../../execution/executor.ts';
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import { sessionFiles } from '../store/store.ts';
import { postOrder, takeOrder, withdrawOrder } from './order-file.ts';

const LOOK_MS = 250;
/** An older order is passed over: what it was about may have changed. */
const HEED_WITHIN_MS = 30_000;
/** Name of the journal's `record` row. */
export const CANCELED_BY_HAND = 'canceled-by-hand';

const terms = { id: z.string(), reason: z.string(), at: z.number() };

const order = z.discriminatedUnion('kind', [
  z.object({ ...terms, kind: z.literal('cancel'), strategy: z.string(), ref: z.string() }),
  z.object({ ...terms, kind: z.literal('cancelAll'), strategy: z.string().nullable(), symbol: z.string().nullable() }),
]);

export type CancelOrder = z.output<typeof order>;

const named = z.object({ strategy: z.string(), ref: z.string() });

/** Written before anything is cancelled. */
export const canceledByHand = z.object({
  id: z.string(),
  reason: z.string(),
  programs: z.array(named),
  orders: z.array(named),
});

export type CanceledByHand = z.output<typeof canceledByHand>;

export function cancelId(): string {
  return randomBytes(6).toString('hex');
}

/** False while an earlier order waits to be heeded. */
export function orderCancel(path: string, wanted: CancelOrder): boolean {
  return postOrder(join(path, sessionFiles.cancel), wanted);
}

/** False: the session has taken it over. */
export function withdrawCancel(path: string, id: string): boolean {
  return withdrawOrder(join(path, sessionFiles.cancel), id);
}

export interface CancelControl {
  readonly path: string;
  readonly executor: Pick<Executor, 'account' | 'programs' | 'record' | 'submit'>;
  /** Tags. */
  readonly strategies: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly deliver: (run: () => void) => void;
}

export function watchCancelOrders(control: CancelControl): Cancel {
  return control.clock.every(LOOK_MS, () => heedCancelOrder(control));
}

function heedCancelOrder(control: CancelControl): void {
  const { path, clock, logger, deliver } = control;
  const file = join(path, sessionFiles.cancel);
  const taken = takeOrder(file);
  if (taken === undefined) return;
  const parsed = order.safeParse(taken.content);
  if (!parsed.success) {
    logger.error({}, `${file} was not an order to cancel and is passed over`);
    return;
  }
  const wanted = parsed.data;
  if (Math.abs(clock.now() - wanted.at) > HEED_WITHIN_MS) {
    logger.error({ id: wanted.id }, 'an order to cancel is too old and is passed over');
    return;
  }
  deliver(() => {
    try {
      carryOutCancel(control, wanted);
    } catch (thrown) {
      logger.error({ id: wanted.id }, `an order to cancel could not be carried out: ${messageOf(thrown)}`);
    }
  });
}

/** In session time. */
export function carryOutCancel(
  { executor, strategies, logger }: Pick<CancelControl, 'executor' | 'strategies' | 'logger'>,
  wanted: CancelOrder,
): void {
  const { id, reason } = wanted;
  const tags = strategies.filter((tag) => wanted.strategy === null || tag === wanted.strategy);
  const meant = tags.map((tag) => ({ tag, ...meantOf(executor, tag, wanted) }));
  const data: CanceledByHand = {
    id,
    reason,
    programs: meant.flatMap(({ tag, programs }) => programs.map((ref) => ({ strategy: tag, ref }))),
    orders: meant.flatMap(({ tag, orders }) => orders.map((ref) => ({ strategy: tag, ref }))),
  };
  executor.record({ kind: 'record', name: CANCELED_BY_HAND, data });
  logger.warn({ ...data }, 'cancelled by hand');
  for (const { tag, programs, orders } of meant) {
    if (programs.length + orders.length === 0) continue;
    if (wanted.kind === 'cancel') executor.submit(tag, { kind: 'cancel', ref: wanted.ref });
    else executor.submit(tag, { kind: 'cancelAll', ...(wanted.symbol === null ? {} : { symbol: wanted.symbol }) });
  }
}

/** Refs of what works, orders of the programs included. */
function meantOf(
  executor: CancelControl['executor'],
  tag: string,
  wanted: CancelOrder,
): { readonly programs: readonly string[]; readonly orders: readonly string[] } {
  const account = executor.account(tag);
  const working = executor.programs(tag);
  const open = account.openOrders();
  const programs = working.filter(({ ref, symbol, children }) => {
    if (wanted.kind === 'cancel') return ref === wanted.ref;
    if (wanted.symbol === null || symbol === wanted.symbol) return true;
    return open.some((order) => order.symbol === wanted.symbol && children.includes(order.ref));
  });
  const refs = new Set(programs.map(({ ref }) => ref));
  const orders = open.filter(({ ref, symbol, parent }) => {
    if (parent !== undefined && refs.has(parent)) return true;
    return wanted.kind === 'cancel' ? ref === wanted.ref : wanted.symbol === null || symbol === wanted.symbol;
  });
  return { programs: [...refs], orders: orders.map(({ ref }) => ref) };
}
