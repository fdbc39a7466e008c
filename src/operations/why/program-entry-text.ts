/** A row of an order program as a sentence. Its data are in ticks and lots. */
import type { ProgramEntry } from '../../model/trading/program.ts';

export function programEntryText(entry: ProgramEntry): string {
  switch (entry.event) {
    case 'start':
      return `${entry.program} ${entry.ref} of ${entry.strategy} in ${entry.symbol} begins`;
    case 'step':
      return `${entry.ref}: ${JSON.stringify(entry.data)}`;
    case 'end':
      return `${entry.ref} ends ${entry.state}: ${entry.reason}`;
  }
}

/** `closing "" → "stopLoss", best 100 → 102`. */
export function changesText(before: unknown, after: unknown): string {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const changes = [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) => {
    const [old, now] = [JSON.stringify(was[name]), JSON.stringify(is[name])];
    return old === now ? [] : [`${name} ${old ?? 'none'} → ${now ?? 'none'}`];
  });
  return changes.length === 0 ? 'nothing changed' : changes.join(', ');
}

function fieldsOf(data: unknown): Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null ? { ...data } : { value: data };
}
