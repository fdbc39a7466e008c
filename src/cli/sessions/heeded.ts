/** Waits until a running session has journalled what a human ordered. */
import { JournalSight } from '../../operations/watchdog/journal-sight.ts';
import { sessionErrors } from '../../session/errors.ts';
import type { LimitOrder } from '../../session/controls/limit-control.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import type { StateView } from '../../spine/trading-state.ts';

/** Time for a session to heed an order; it checks four times a second. */
const HEED_MS = 5_000;
const LOOK_MS = 100;

/** Throws `limit_not_confirmed`. */
export async function heeded(
  folder: SessionFolder,
  { id }: LimitOrder,
  holds: (state: StateView) => boolean,
): Promise<void> {
  const deadline = systemClock.now() + HEED_MS;
  const journal = new JournalSight(folder.path);
  for (;;) {
    const problem = journal.look();
    if (problem === null && holds(journal.state)) return;
    if (systemClock.now() > deadline) {
      const why = `${folder.record.id} has not taken it over within ${HEED_MS / 1000} s; ${problem ?? 'its log says why'}`;
      throw sessionErrors.make('limit_not_confirmed', why, { id });
    }
    const over = Promise.withResolvers<void>();
    systemClock.after(LOOK_MS, over.resolve);
    await over.promise;
  }
}
