/**
 * Distinguishes one kill, halt, latch or pause from the next with the same name and reason, for codes that confirm one
 * of them.
 */
import type { Executor } from '../../execution/executor.ts';
import type { JournalEntry } from '../../model/entries/journal.ts';
import type { CommittedRows } from '../upkeep/observed-journal.ts';

/** What a row has stopped; null: it stops nothing. */
function stoppedBy(entry: JournalEntry): string | null {
  if (entry.kind === 'halt') return entry.on ? entry.symbol : null;
  if (entry.kind === 'latch' || entry.kind === 'pause') return entry.on ? entry.strategy : null;
  return null;
}

export class Stops {
  readonly #executor: Pick<Executor, 'killPresses'>;
  /** Strategy or symbol to the newest row that stopped it. */
  readonly #rows = new Map<string, number>();

  constructor(executor: Pick<Executor, 'killPresses'>) {
    this.#executor = executor;
  }

  committed({ entries, lastSeq }: CommittedRows): void {
    for (const [at, entry] of entries.entries()) {
      const name = stoppedBy(entry);
      if (name !== null) this.#rows.set(name, lastSeq - (entries.length - 1 - at));
    }
  }

  /** Another one once any of these strategies and symbols was stopped again, or the kill switch was pressed. */
  markOf(names: readonly string[]): string {
    return [this.#executor.killPresses, ...names.map((name) => `${name} ${this.#rows.get(name) ?? 0}`)].join(', ');
  }
}
