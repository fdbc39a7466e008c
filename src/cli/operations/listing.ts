/**
 * The result of a command that lists: what was read, and whether it is all there is (wall 4). A list that broke off is
 * shown, says so and exits 4; one of which nothing could be read is an error.
 */
import type { Reading } from '../../model/result.ts';
import type { CommandResult } from '../command.ts';
import { listed } from './outcome.ts';

export interface Listing<T> {
  /** Of `--json`: "account overview". */
  readonly command: string;
  /** For people: "balances". */
  readonly what: string;
  readonly reading: Reading<T>;
  readonly text: (items: readonly T[]) => string;
  /** Fields beside `items`. */
  readonly more?: (items: readonly T[]) => object;
  /** The row of `--json` of an item; the item itself when left out. */
  readonly row?: (item: T) => object;
}

/** Throws `list_incomplete` when nothing was read. */
export function listing<T>({ command, what, reading, text, more, row }: Listing<T>): CommandResult {
  const items = reading.kind === 'partial' ? reading.items : listed(what, reading);
  const rows = row === undefined ? items : items.map(row);
  const rest = more?.(items) ?? {};
  if (reading.kind !== 'partial') return { json: { command, complete: true, items: rows, ...rest }, text: text(items) };
  const { reason } = reading;
  return {
    json: { command, complete: false, reason, items: rows, ...rest },
    text: `${text(items)}\nNOT COMPLETE: ${items.length} ${what} were read, then ${reason}`,
    exit: 4,
  };
}
