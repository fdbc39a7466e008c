/**
 * Journals of one session that stand in several folders: a restored backup beside its original, a folder that was copied.
 * For `panic --flatten` a trade that stands in several counts once.
 */
import type { PanicBook } from './panic-book.ts';
import type { Problems } from './panic.ts';

/** Of each session the journal that knows most; `named` says which do not count. What only a copy knows is not closed (`unread`). */
export function withoutCopies(all: readonly PanicBook[], unread: Problems, named: Problems): readonly PanicBook[] {
  const groups: PanicBook[][] = [];
  for (const book of all) {
    const group = groups.find((known) => known.some((other) => isSame(book, other)));
    if (group === undefined) groups.push([book]);
    else group.push(book);
  }
  return groups.map((group) => {
    const [main, ...copies] = group.length === 1 ? group : group.toSorted((one, other) => other.knowsMoreThan(one));
    if (main === undefined) throw new Error('a group is not empty');
    for (const copy of copies) {
      main.also.push(copy.record.id);
      const doubt = doubtOf(copy, main);
      if (doubt === null) named.add(`${copy.path} holds the same session as ${main.path}, which alone counts`);
      else unread.add(`${copy.path} and ${main.path} are copies of one session, and the second counts: ${doubt}`);
    }
    return main;
  });
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

/** Marks of starts are unique but for `approve-build`: who shares one and the first row has them from the same journal. */
function isSame(one: PanicBook, other: PanicBook): boolean {
  if (one.state.bornAt !== other.state.bornAt) return false;
  return [...one.state.sessions].some((mark) => other.state.sessions.has(mark));
}
