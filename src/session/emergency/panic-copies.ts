/**
 * Journals of one session that stand in several folders: a restored backup beside its original, a folder that was copied.
 * For `panic --flatten` a trade that stands in several counts once.
 */
import type { PanicBook } from './panic-book.ts';
import type { Problems } from './panic.ts';

export interface Distinct {
  readonly books: readonly PanicBook[];
  /** Id of a session → id of the one that counts for it. */
  readonly idOf: (session: string) => string;
}

/** Of each session the journal that knows most. What only a copy knows is reported, and not closed. */
export function withoutCopies(all: readonly PanicBook[], unread: Problems): Distinct {
  const groups: PanicBook[][] = [];
  for (const book of all) {
    const group = groups.find((known) => known.some((other) => isSame(book, other)));
    if (group === undefined) groups.push([book]);
    else group.push(book);
  }
  const ids = new Map<string, string>();
  const books = groups.map((group) => {
    const [main, ...copies] = group.length === 1 ? group : group.toSorted((one, other) => other.knowsMoreThan(one));
    if (main === undefined) throw new Error('a group is not empty');
    for (const copy of copies) {
      ids.set(copy.record.id, main.record.id);
      const doubt = doubtOf(copy, main);
      if (doubt !== null)
        unread.add(`${copy.path} and ${main.path} are copies of one session, and the second counts: ${doubt}`);
    }
    return main;
  });
  return { books, idOf: (session) => ids.get(session) ?? session };
}

/** What the copy may hold that the main one does not know; null: nothing. */
function doubtOf(copy: PanicBook, main: PanicBook): string | null {
  const [own, known] = [copy.trades(), main.trades()];
  if (own === null || known === null) return 'their trades could not be compared, so more may be held';
  const lacks = [...own].filter((trade) => !known.has(trade)).length;
  const isPart = [...copy.state.sessions].every((mark) => main.state.sessions.has(mark));
  if (lacks === 0 && isPart) return null;
  return `the first has rows of its own, with ${lacks} trades that the second lacks, so more may be held`;
}

/** Marks of starts are unique: who shares one has them from the same journal. */
function isSame(one: PanicBook, other: PanicBook): boolean {
  return [...one.state.sessions].some((mark) => other.state.sessions.has(mark));
}
