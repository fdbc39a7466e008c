/** Keys of `tidewire top`, from the bytes of a terminal in raw mode. Pure. */

export type TopKey = 'up' | 'down' | 'symbol' | 'help' | 'leave';

const KEYS: Readonly<Record<string, TopKey>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  k: 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  j: 'down',
  '\t': 'symbol',
  s: 'symbol',
  '?': 'help',
  h: 'help',
  q: 'leave',
  '\u0003': 'leave',
  '\u0004': 'leave',
};

const ESCAPE = '\u001b';
const PIECE = new RegExp(`${ESCAPE}[[O][0-9;]*[A-Za-z~]|[^]`, 'gu');

/** What is no key is passed over. */
export function keysIn(text: string): readonly TopKey[] {
  return [...(text.match(PIECE) ?? [])].flatMap((piece) => KEYS[piece] ?? []);
}
