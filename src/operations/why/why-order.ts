/**
 * `why ORDER`: stream event → decision → action → risk → journal → frames → fills, from journal, recording and log; also
 * of a program and of a movement of money. Reads only.
 */
import { operationErrors } from '../errors.ts';
import { logLines, type LogLine } from './log-lines.ts';
import { recordedThen, type RecordedThen } from './market-then.ts';
import { orderChain, type OrderChain } from './order-chain.ts';
import { isOfSameAccount } from '../../session/store/store.ts';
import { isMoneyDenial, movementChain, type MovementChain } from './movement-chain.ts';
import { lookUp, onlyMovement, onlyOne, onlyProgram, type Lookup } from './order-lookup.ts';
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

export interface WhyMovement {
  readonly kind: 'movement';
  readonly session: string;
  readonly path: string;
  readonly chain: MovementChain;
  /** Denials of its ref in later sessions, newest session first. */
  readonly deniedSince: readonly WhyDenied[];
}

/** The action was denied; nothing was sent. */
export interface WhyDenied {
  readonly kind: 'denied';
  readonly session: string;
  readonly path: string;
  readonly denials: Lookup['denials'];
}

export type WhyAnswer = WhyOrder | WhyProgram | WhyMovement | WhyDenied;

/** How long after its last row frames and log lines may come. */
const AFTER_MS = 2_000;

/** Throws `order_not_found`, `order_ambiguous`, `session_not_found`, `journal_not_found`, `journal_corrupt`. */
export async function whyOrder(root: string, name: string, session?: string): Promise<WhyAnswer> {
  const places = placesOf(root, session);
  for (const [index, place] of places.entries()) {
    const found = lookUp(place.rows(), name);
    const { intentIds, programs, denials } = found;
    const moved = onlyMovement(found, name, place.id);
    if (moved.length > 0) return movementExplained(place, moved, []);
    const program = onlyProgram(programs, intentIds, name, place.id);
    if (program !== undefined) return programExplained(place, program);
    const only = onlyOne(intentIds, name, place.id);
    if (only !== undefined) return explained(place, only);
    if (denials.length > 0)
      return movedBefore(places.slice(index), name) ?? { kind: 'denied', session: place.id, path: place.path, denials };
  }
  const where = places.map(({ id }) => id).slice(0, 5);
  throw operationErrors.make(
    'order_not_found',
    `no order, program or movement of money ${name} in ${places.length === 0 ? `any journal under ${root}` : `${places.length === 1 ? 'the journal' : `${places.length} journals`} (${where.join(', ')}${places.length > 5 ? ', …' : ''})`}`,
    { order: name },
  );
}

/** A ref moves money once over all sessions of an account: what was denied in the first place may have moved before. */
function movedBefore([newest, ...older]: readonly SessionPlace[], name: string): WhyMovement | undefined {
  if (newest === undefined) return undefined;
  const denied = (place: SessionPlace): WhyDenied[] => {
    const denials = lookUp(place.rows(), name).denials.filter(
      ({ entry }) => entry.reason === 'duplicate_ref' && isMoneyDenial(entry),
    );
    return denials.length === 0 ? [] : [{ kind: 'denied', session: place.id, path: place.path, denials }];
  };
  const since = denied(newest);
  const of = since[0]?.denials[0]?.entry;
  if (of === undefined) return undefined;
  for (const place of older.filter(({ record }) => isOfSameAccount(record, newest.record))) {
    const moved = lookUp(place.rows(), name).movements.filter(
      ({ strategy, ref }) => strategy === of.strategy && ref === of.ref,
    );
    if (moved.length > 0)
      return movementExplained(
        place,
        moved.map(({ intentId }) => intentId),
        since,
      );
    since.push(...denied(place));
  }
  return undefined;
}

function movementExplained(
  { id, path, rows }: SessionPlace,
  intentIds: readonly string[],
  deniedSince: readonly WhyDenied[],
): WhyMovement {
  const chain = movementChain(rows(), intentIds);
  if (chain === undefined) throw new RangeError(`${path}: the movement ${intentIds.join(', ')} is gone`);
  return { kind: 'movement', session: id, path, chain, deniedSince };
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
