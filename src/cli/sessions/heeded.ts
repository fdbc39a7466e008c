/** Orders a change of limits or a pause, and waits until the running session has journalled it. */
import { JournalSight } from '../../operations/watchdog/journal-sight.ts';
import { sessionErrors } from '../../session/errors.ts';
import { orderLimits, withdrawLimits, type LimitOrder } from '../../session/controls/limit-control.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import type { StateView } from '../../spine/trading-state.ts';

/** Time for a session to heed an order; it checks four times a second. */
const HEED_MS = 5_000;
const LOOK_MS = 100;

/** Throws `command_not_heeded`. */
export async function heeded(
  { path, record }: SessionFolder,
  order: LimitOrder,
  holds: (state: StateView) => boolean,
): Promise<void> {
  const { id } = order;
  const deadline = systemClock.now() + HEED_MS;
  const journal = new JournalSight(path);
  for (let isPosted = orderLimits(path, order); ; isPosted ||= orderLimits(path, order)) {
    const problem = journal.look();
    if (isPosted && problem === null && holds(journal.state)) return;
    if (systemClock.now() > deadline) {
      const isBack = !isPosted || withdrawLimits(path, id);
      const rest = isBack
        ? 'it is withdrawn: nothing has changed'
        : `it was taken over and may still take effect; ${problem ?? 'its log says why'}`;
      const why = `${record.id} has not carried the command out within ${HEED_MS / 1000} s; ${rest}`;
      throw sessionErrors.make('command_not_heeded', why, { id, isWithdrawn: isBack });
    }
    const over = Promise.withResolvers<void>();
    systemClock.after(LOOK_MS, over.resolve);
    await over.promise;
  }
}
