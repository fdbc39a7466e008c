/** How the depth of a tape is sequenced (T5). */
import type { BookSyncOptions } from '../../model/book/book-sync.ts';
import type { Tape } from '../../recording/tape/tape.ts';

export function tapeSync(tape: Tape): (symbol: string) => Required<Pick<BookSyncOptions, 'rule' | 'start'>> {
  return (symbol) => ({
    rule: tape.rules.get(symbol) ?? 'none',
    start: tape.withSnapshot.has(symbol) ? 'snapshot' : 'updates',
  });
}
