/**
 * How a session comes down once its strategies have been told to stop: what they leave to cancel or to flatten has its time,
 * then nothing more is asked of the exchange and every connection ends. Of `realtime.ts`.
 */
import type { Clock } from '../model/ports.ts';
import type { Treasury } from '../model/treasury.ts';
import type { Venue } from '../model/venue.ts';
import type { Reconciler } from '../execution/reconcile/reconciler.ts';
import type { ExchangeSocket } from '../exchange/client/socket.ts';
import type { PublicStream } from '../streams/public.ts';
import type { Engine } from './engine.ts';

const STOP_DEADLINE_MS = 15_000;
const LOOK_MS = 20;

export async function untilStopped(engine: Engine, clock: Clock): Promise<void> {
  const deadline = clock.now() + STOP_DEADLINE_MS;
  while (!engine.stopped && clock.now() < deadline) {
    const pause = Promise.withResolvers<void>();
    clock.after(LOOK_MS, pause.resolve);
    await pause.promise;
  }
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
