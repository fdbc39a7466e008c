/** At the end journal and exchange are compared until they agree. */
import type { Clock, Logger } from '../../model/ports.ts';
import type { OrderUpdate } from '../../model/trading/order.ts';
import type { Venue } from '../../model/venue.ts';
import type { Disagreement } from '../../reconciler/agreement.ts';
import type { ReconcileReport, Reconciler } from '../../reconciler/reconciler.ts';
import type { ExchangeSocket } from '../../exchange/client/sockets/socket.ts';
import type { PublicStream } from '../../streams/public.ts';
import type { Engine } from '../engine.ts';

const STOP_DEADLINE_MS = 15_000;
const LOOK_MS = 20;
/** Wait for the effect of a pass's cancels. */
const AGAIN_MS = 250;
/** Least time for a pass to be answered. */
const PASS_MS = 2_000;
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
  const { differs, active } = await untilAgreed({ engine, reconciler }, clock, deadline);
  if (engine.settled && differs.length === 0) return [];
  const { executor } = engine;
  const [unresolved, unbooked] = [executor.unresolvedCount(), executor.unbookedCount()];
  const open = engine.ending.filter(({ state }) => state !== 'unknown' && state !== 'sending');
  const left = [
    `${NOT_PROVED} (${unresolved} of unknown outcome, ${unbooked} with trades to come, ${open.length} open)`,
    ...open.map((order) => openText(order, active)),
    ...differs.slice(0, SHOWN_MAX).map(({ message }) => message),
  ];
  logger.error({ unresolved, unbooked, differs: left.slice(1) }, NOT_PROVED);
  return left;
}

function openText({ side, quantity, symbol, ref, orderId }: OrderUpdate, active: ReadonlySet<string>): string {
  const is = `${side} ${quantity} ${symbol} (${ref}, order ${orderId ?? 'without an id'})`;
  return orderId !== undefined && active.has(orderId)
    ? `${is} is active in the last list of the exchange, whatever it answered to the cancels`
    : `${is}: nothing from the exchange confirms that it is over`;
}

interface Compared {
  readonly differs: readonly Disagreement[];
  /** Own orders that the last list shows, by the exchange's id. */
  readonly active: ReadonlySet<string>;
}

const NOTHING: Compared = { differs: [], active: new Set() };

function comparedOf({ disagreements: differs, findings }: ReconcileReport): Compared {
  const active = new Set<string>();
  for (const finding of findings) {
    if (finding.kind !== 'report' && finding.kind !== 'rests') continue;
    const { orderId, status } = finding.report;
    if (status === 'new' || status === 'partially_filled') active.add(orderId);
  }
  return { differs, active };
}

async function untilAgreed(
  { engine, reconciler }: { readonly engine: Engine; readonly reconciler: Reconciler },
  clock: Clock,
  deadline: number,
): Promise<Compared> {
  for (;;) {
    const late = Promise.withResolvers<null>();
    const cancelLate = clock.after(Math.max(0, deadline - clock.now()), () => late.resolve(null));
    const told = await Promise.race([reconciler.runNow({ isLast: true }), late.promise]).finally(cancelLate);
    if (told === null) return { ...NOTHING, differs: [NOT_ANSWERED] };
    if (told.disagreements.length === 0 && engine.settled) return NOTHING;
    if (clock.now() + AGAIN_MS + PASS_MS >= deadline) return comparedOf(told);
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
