/**
 * How a session comes down once its strategies have been told to stop: what they leave to cancel or to flatten has its time,
 * then nothing more is asked of the exchange and every connection ends. Of `realtime.ts`.
 */
import type { Clock, Logger } from '../model/ports.ts';
import type { Treasury } from '../model/treasury.ts';
import type { Venue } from '../model/venue.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import type { ExchangeSocket } from '../exchange/client/socket.ts';
import type { PublicStream } from '../streams/public.ts';
import type { Engine } from './engine.ts';

const STOP_DEADLINE_MS = 15_000;
const LOOK_MS = 20;
const NOT_PROVED = 'not every order is proved to be gone and booked; the next start goes on with this session';

export async function untilStopped(engine: Engine, clock: Clock): Promise<void> {
  const deadline = clock.now() + STOP_DEADLINE_MS;
  while (!engine.stopped && clock.now() < deadline) {
    const pause = Promise.withResolvers<void>();
    clock.after(LOOK_MS, pause.resolve);
    await pause.promise;
  }
}

/** What its strategies leave has its time; whether it is all gone is told. */
export async function cleared(engine: Engine, clock: Clock, logger: Logger): Promise<void> {
  await untilStopped(engine, clock);
  if (engine.settled) return;
  const { executor } = engine;
  logger.error({ unresolved: executor.unresolvedCount(), unbooked: executor.unbookedCount() }, NOT_PROVED);
}

/** What a session leaves to its next start: no orderly end, for whoever reads its document. */
export function leftOf(engine: Engine): readonly string[] {
  if (engine.settled) return [];
  const { executor } = engine;
  const [unresolved, unbooked] = [executor.unresolvedCount(), executor.unbookedCount()];
  return [`${NOT_PROVED} (${unresolved} of unknown fate, ${unbooked} with trades to come)`];
}

export interface Connected {
  readonly reconciler: Reconciler;
  readonly stream: PublicStream;
  /** The public one. */
  readonly socket: ExchangeSocket;
  readonly treasury: Treasury;
  readonly venue: Venue;
}

export async function disconnect({ reconciler, stream, socket, treasury, venue }: Connected): Promise<void> {
  reconciler.stop();
  stream.stop();
  await socket.stop();
  await treasury.stop();
  await venue.stop();
}
