/** At the end journal and exchange are compared until they agree. */
import type { Clock, Logger } from '../../model/ports.ts';
import type { Venue } from '../../model/venue.ts';
import type { Disagreement } from '../../reconciler/agreement.ts';
import type { Reconciler } from '../../reconciler/reconciler.ts';
import type { ExchangeSocket } from '../../exchange/client/sockets/socket.ts';
import type { PublicStream } from '../../streams/public.ts';
import type { Engine } from '../engine.ts';

const STOP_DEADLINE_MS = 15_000;
const LOOK_MS = 20;
/** Wait for the effect of a pass's cancels. */
const AGAIN_MS = 250;
const SHOWN_MAX = 5;
const NOT_PROVED = 'not every order is confirmed closed and booked; the next start continues this session';
const NOT_ANSWERED: Disagreement = { kind: 'not-read', message: 'the exchange did not answer the last comparison' };

async function pause(clock: Clock, ms: number): Promise<void> {
  const over = Promise.withResolvers<void>();
  clock.after(ms, over.resolve);
  await over.promise;
}

async function untilStopped(engine: Engine, clock: Clock, deadline: number): Promise<void> {
  while (!engine.stopped && clock.now() < deadline) await pause(clock, LOOK_MS);
}

/** Returns what is left to the next start. */
export async function cleared(
  { engine, reconciler }: { readonly engine: Engine; readonly reconciler: Reconciler },
  clock: Clock,
  logger: Logger,
): Promise<readonly string[]> {
  const deadline = clock.now() + STOP_DEADLINE_MS;
  await untilStopped(engine, clock, deadline);
  const differs = await untilAgreed({ engine, reconciler }, clock, deadline);
  if (engine.settled && differs.length === 0) return [];
  const { executor } = engine;
  const [unresolved, unbooked] = [executor.unresolvedCount(), executor.unbookedCount()];
  const left = [
    `${NOT_PROVED} (${unresolved} of unknown outcome, ${unbooked} with trades to come)`,
    ...differs.slice(0, SHOWN_MAX).map(({ message }) => message),
  ];
  logger.error({ unresolved, unbooked, differs: left.slice(1) }, NOT_PROVED);
  return left;
}

async function untilAgreed(
  { engine, reconciler }: { readonly engine: Engine; readonly reconciler: Reconciler },
  clock: Clock,
  deadline: number,
): Promise<readonly Disagreement[]> {
  for (;;) {
    const late = Promise.withResolvers<null>();
    const cancelLate = clock.after(Math.max(0, deadline - clock.now()), () => late.resolve(null));
    const told = await Promise.race([reconciler.runNow({ isLast: true }), late.promise]).finally(cancelLate);
    if (told === null) return [NOT_ANSWERED];
    if (told.disagreements.length === 0 && engine.settled) return [];
    if (clock.now() + AGAIN_MS >= deadline) return told.disagreements;
    await pause(clock, AGAIN_MS);
  }
}

export interface Connected {
  readonly reconciler: Reconciler;
  readonly stream: PublicStream;
  /** The public one. */
  readonly socket: ExchangeSocket;
  readonly venue: Venue;
}

export async function disconnect({ reconciler, stream, socket, venue }: Connected): Promise<void> {
  reconciler.stop();
  stream.stop();
  await socket.stop();
  await venue.stop();
}
