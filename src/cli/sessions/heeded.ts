/**
 * Orders a change of limits or a pause, and waits until the running session has journalled it, and of a pause until the
 * exchange has confirmed its cancels.
 */
import { PROOF_MS } from '../../operations/cancel/cancel.ts';
import { JournalSight } from '../../operations/watchdog/journal-sight.ts';
import { sessionErrors } from '../../session/errors.ts';
import { orderLimits, withdrawLimits, type LimitOrder } from '../../session/controls/limit-control.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { isClosed } from '../../spine/orders/order-machine.ts';
import type { StateView } from '../../spine/trading-state.ts';

/** Time for a session to heed an order; it checks four times a second. */
const HEED_MS = 5_000;
const LOOK_MS = 100;

/** Returns the journal as it is then. Throws `command_not_heeded`. */
export async function heeded(
  { path, record }: SessionFolder,
  order: LimitOrder,
  holds: (state: StateView) => boolean,
): Promise<JournalSight> {
  const { id } = order;
  const deadline = systemClock.now() + HEED_MS;
  const journal = new JournalSight(path);
  for (let isPosted = orderLimits(path, order); ; isPosted ||= orderLimits(path, order)) {
    const problem = journal.look();
    if (isPosted && problem === null && holds(journal.state)) return journal;
    if (systemClock.now() > deadline) {
      const isBack = !isPosted || withdrawLimits(path, id);
      const rest = isBack
        ? 'it is withdrawn: nothing has changed'
        : `it was taken over and may still take effect; ${problem ?? 'its log says why'}`;
      const why = `${record.id} has not carried the command out within ${HEED_MS / 1000} s; ${rest}`;
      throw sessionErrors.make('command_not_heeded', why, { id, isWithdrawn: isBack });
    }
    await untilNextLook();
  }
}

/** Refs of the strategy's orders of new risk whose end the exchange has not confirmed in time. */
export async function unconfirmed(journal: JournalSight, strategy: string): Promise<readonly string[]> {
  for (const deadline = systemClock.now() + PROOF_MS; ; journal.look()) {
    const open = journal.state.orders
      .allLive()
      .filter((order) => order.strategy === strategy && !order.exits && !isClosed(order.progress));
    if (open.length === 0 || systemClock.now() > deadline) return open.map(({ ref }) => ref);
    await untilNextLook();
  }
}

async function untilNextLook(): Promise<void> {
  const over = Promise.withResolvers<void>();
  systemClock.after(LOOK_MS, over.resolve);
  await over.promise;
}
