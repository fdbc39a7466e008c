/** A session on the rig that has traded, and one that goes on with an older journal of it. */
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import type { ReconcilerOptions } from '../../src/reconciler/reconciler.ts';
import type { InstrumentSpec } from '../../src/model/market/instrument.ts';
import type { JournalEntry, JournalStore } from '../../src/model/entries/journal.ts';
import { place, startReconciler, stopReconcilers } from '../execution/limit-rig.ts';
import { BTC, makeRig, type Rig } from '../execution/rig.ts';

let starts = 0;

/** A session that knows what the account held, and has traded. */
export async function session(): Promise<Rig> {
  const rig = makeRig({ specs: [BTC], bootId: 's1_1' });
  startReconciler(rig);
  await rig.clock.advanceAsync(1000);
  rig.executor.submit('maker', place);
  await rig.clock.advanceAsync(120_000, 1000);
  return rig;
}

/** The session ends; another start finds the rows before the first that `isLost` (all where none is), and then these. */
export async function withOlderJournal(
  rig: Rig,
  isLost: (entry: JournalEntry) => boolean,
  more: readonly JournalEntry[] = [],
  options: ReconcilerOptions = {},
  specs: readonly InstrumentSpec[] = [BTC],
): Promise<Rig> {
  stopReconcilers();
  await rig.clock.advanceAsync(60_000, 1000);
  const rows = [...rig.journal.read()];
  const end = rows.findIndex(({ entry }) => isLost(entry));
  const kept = end === -1 ? rows : rows.slice(0, end);
  const journal: JournalStore = createMemoryJournal();
  for (const { ts, entry } of kept) journal.append(ts, [entry]);
  if (more.length > 0) journal.append(kept.at(-1)?.ts ?? 0, more);
  const bootId = `s1_1${starts++}`;
  const next = makeRig({ clock: rig.clock, venue: rig.venue, journal, specs, bootId });
  startReconciler(next, options);
  return next;
}

export function entries(rig: Rig): readonly JournalEntry[] {
  return [...rig.journal.read()].map(({ entry }) => entry);
}
