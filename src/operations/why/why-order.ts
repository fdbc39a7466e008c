/**
 * `why ORDER`: stream event → decision → action → risk → journal → frames → fills, from journal, recording and log.
 * Reads only.
 */
import { operationErrors } from '../errors.ts';
import { logLines, type LogLine } from './log-lines.ts';
import { recordedThen, type RecordedThen } from './market-then.ts';
import { orderChain, type OrderChain } from './order-chain.ts';
import { lookUp, onlyOne, onlyProgram, type Lookup } from './order-lookup.ts';
import { programChain, type ProgramChain } from './program-chain.ts';
import { placesOf, type SessionPlace } from './session-place.ts';

export interface WhyOrder {
  readonly kind: 'order';
  readonly session: string;
  readonly path: string;
  readonly chain: OrderChain;
  /** The market at the decision, and the order's private frames. */
  readonly recorded: RecordedThen;
  readonly log: readonly LogLine[];
}

export interface WhyProgram {
  readonly kind: 'program';
  readonly session: string;
  readonly path: string;
  readonly chain: ProgramChain;
}

/** The placement was denied; no order existed. */
export interface WhyDenied {
  readonly kind: 'denied';
  readonly session: string;
  readonly path: string;
  readonly denials: Lookup['denials'];
}

/** How long after its last row frames and log lines may come. */
const AFTER_MS = 2_000;

/** Throws `order_not_found`, `order_ambiguous`, `session_not_found`, `journal_not_found`, `journal_corrupt`. */
export async function whyOrder(
  root: string,
  name: string,
  session?: string,
): Promise<WhyOrder | WhyProgram | WhyDenied> {
  const places = placesOf(root, session);
  for (const place of places) {
    const { intentIds, programs, denials } = lookUp(place.rows(), name);
    const program = onlyProgram(programs, intentIds, name, place.id);
    if (program !== undefined) return programExplained(place, program);
    const only = onlyOne(intentIds, name, place.id);
    if (only !== undefined) return explained(place, only);
    if (denials.length > 0) return { kind: 'denied', session: place.id, path: place.path, denials };
  }
  const where = places.map(({ id }) => id).slice(0, 5);
  throw operationErrors.make(
    'order_not_found',
    `no order or program ${name} in ${places.length === 0 ? `any journal under ${root}` : `${places.length} journals (${where.join(', ')}${places.length > 5 ? ', …' : ''})`}`,
    { order: name },
  );
}

function programExplained({ id, path, rows }: SessionPlace, { strategy, ref }: Lookup['programs'][number]): WhyProgram {
  const chain = programChain(rows(), strategy, ref);
  if (chain === undefined) throw new RangeError(`${path}: the program ${ref} is gone`);
  return { kind: 'program', session: id, path, chain };
}

async function explained(place: SessionPlace, intentId: string): Promise<WhyOrder> {
  const chain = orderChain(place.rows(), intentId);
  if (chain === undefined) throw new RangeError(`${place.path}: intent ${intentId} is gone`);
  const { strategy, clientOrderId, orderId, decidedAt, lastAt } = chain;
  const names = [clientOrderId, ...(orderId === null ? [] : [orderId])];
  const symbol = chain.intent.order.symbol;
  const untilMs = lastAt + AFTER_MS;
  const recorded = await recordedThen(place.recording, { symbol, atMs: decidedAt, untilMs, names });
  const log = await logLines(place.log, {
    strategy,
    names: [chain.intent.ref, intentId, ...names],
    fromMs: decidedAt,
    toMs: lastAt,
  });
  return { kind: 'order', session: place.id, path: place.path, chain, recorded, log };
}
