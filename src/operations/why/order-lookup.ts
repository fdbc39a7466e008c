/** Finds an order, a program or a movement of money by ref (`ref` or `tag/ref`), intent id or exchange id. Pure. */
import type { DenialEntry, JournalRow } from '../../model/entries/journal.ts';
import type { MoneyIntentEntry } from '../../model/entries/money-entries.ts';
import { intentIdOf } from '../../spine/intent-id.ts';
import { operationErrors } from '../errors.ts';

export interface Lookup {
  /** Oldest first. */
  readonly intentIds: readonly string[];
  /** Order programs of that ref, oldest first. */
  readonly programs: readonly { readonly strategy: string; readonly ref: string }[];
  /** Money intents of that ref, or of that intent id, oldest first: a refused one frees its ref. */
  readonly movements: readonly MoneyIntentEntry[];
  /** Actions of that ref denied before anything was sent. */
  readonly denials: readonly (JournalRow & { readonly entry: DenialEntry })[];
}

export function lookUp(rows: Iterable<JournalRow>, name: string): Lookup {
  const intentIds = new Set<string>();
  /** The answer to a cancel names the order, not itself. */
  const cancels = new Map<string, readonly string[]>();
  const found = (id: string): void => {
    const [order = id, ...others] = cancels.get(id) ?? [];
    // Of several the answer to each create says which.
    if (others.length === 0) intentIds.add(order);
  };
  const programs: { readonly strategy: string; readonly ref: string }[] = [];
  const movements: MoneyIntentEntry[] = [];
  const denials: (JournalRow & { readonly entry: DenialEntry })[] = [];
  const intentId = intentIdOf(name) ?? name;
  for (const { seq, ts, entry } of rows) {
    switch (entry.kind) {
      case 'intent':
        if (entry.command === 'cancel') cancels.set(entry.intentId, entry.targets);
        else if (entry.intentId === intentId || isCalled(entry, name)) intentIds.add(entry.intentId);
        break;
      case 'program':
        if (entry.event === 'start' && isCalled(entry, name))
          programs.push({ strategy: entry.strategy, ref: entry.ref });
        break;
      case 'money-intent':
        if (entry.intentId === name || (entry.ref !== undefined && isCalled({ ...entry, ref: entry.ref }, name)))
          movements.push(entry);
        break;
      case 'outcome':
        if (entry.outcome.kind === 'accepted' && entry.outcome.order?.orderId === name) found(entry.intentId);
        break;
      case 'order':
        if (entry.report.orderId === name) found(entry.intentId);
        break;
      case 'fill':
        if (entry.fill.orderId === name) found(entry.intentId);
        break;
      case 'denial':
        if (entry.ref !== undefined && isCalled({ strategy: entry.strategy, ref: entry.ref }, name))
          denials.push({ seq, ts, entry });
        break;
      default:
    }
  }
  return { intentIds: [...intentIds], programs, movements, denials };
}

/** Undefined without one. Throws `order_ambiguous`. */
export function onlyOne(intentIds: readonly string[], name: string, session: string): string | undefined {
  const [only, ...others] = intentIds;
  if (others.length === 0) return only;
  const message = `${intentIds.length} orders of ${session} are called ${name}: ${intentIds.join(', ')}`;
  throw operationErrors.make('order_ambiguous', message, { session, intentIds });
}

/** Undefined without one. Throws `order_ambiguous`, also where an order of another strategy is called so. */
export function onlyProgram(
  programs: Lookup['programs'],
  intentIds: readonly string[],
  name: string,
  session: string,
): Lookup['programs'][number] | undefined {
  const [only, ...others] = programs;
  if (only === undefined || others.length + intentIds.length === 0) return only;
  const refs = programs.map(({ strategy, ref }) => `${strategy}/${ref}`);
  const message = `several of ${session} are called ${name}: ${[...refs, ...intentIds].join(', ')}`;
  throw operationErrors.make('order_ambiguous', message, { session, refs, intentIds });
}

/** Intent ids of the one movement that is called so; empty without one. Throws `order_ambiguous`. */
export function onlyMovement(
  { movements, intentIds, programs }: Lookup,
  name: string,
  session: string,
): readonly string[] {
  const ids = movements.map(({ intentId }) => intentId);
  const isOne = new Set(movements.map(({ strategy }) => strategy)).size + intentIds.length + programs.length === 1;
  if (isOne || ids.length === 0) return ids;
  const refs = programs.map(({ strategy, ref }) => `${strategy}/${ref}`);
  const message = `several of ${session} are called ${name}: ${[...refs, ...intentIds, ...ids].join(', ')}`;
  throw operationErrors.make('order_ambiguous', message, { session, refs, intentIds: [...intentIds, ...ids] });
}

/** Throws `order_not_found`, `order_ambiguous`. */
export function intentCalled(rows: Iterable<JournalRow>, name: string, session: string): string {
  const only = onlyOne(lookUp(rows, name).intentIds, name, session);
  if (only !== undefined) return only;
  throw operationErrors.make('order_not_found', `no order ${name} in ${session}`, { order: name });
}

function isCalled({ strategy, ref }: { readonly strategy: string; readonly ref: string }, name: string): boolean {
  return ref === name || `${strategy}/${ref}` === name;
}
