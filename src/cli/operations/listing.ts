/**
 * The result of a listing command with its completeness. A partial list exits 4; an empty failed one is an
 * error.
 */
import type { Reading } from '../../model/result.ts';
import type { CommandResult } from '../command.ts';
import { listed } from '../../operations/exchange/answers.ts';

export interface Listing<T> {
  /** For `--json`: "account overview". */
  readonly command: string;
  /** For people: "balances". */
  readonly what: string;
  readonly reading: Reading<T>;
  readonly text: (items: readonly T[]) => string;
  /** Fields beside `items`. */
  readonly more?: (items: readonly T[]) => object;
  /** An item's row in `--json`; default: the item. */
  readonly row?: (item: T) => object;
  /** The newest of them that were asked for. */
  readonly most?: number | undefined;
}

/** Throws `list_incomplete` when nothing was read. */
export function listing<T>({ command, what, reading, text, more, row, most }: Listing<T>): CommandResult {
  const all = reading.kind === 'partial' ? reading.items : listed(what, reading);
  const isCut = most !== undefined && (all.length > most || (reading.kind === 'partial' && all.length === most));
  const items = isCut ? all.slice(0, most) : all;
  const rows = row === undefined ? items : items.map(row);
  const rest = more?.(items) ?? {};
  if (isCut) {
    const reason = `only the newest ${most} were asked for`;
    return {
      json: { command, complete: false, reason, items: rows, ...rest },
      text: `${text(items)}\nonly the newest ${most} are shown`,
    };
  }
  if (reading.kind !== 'partial') return { json: { command, complete: true, items: rows, ...rest }, text: text(items) };
  const { reason } = reading;
  return {
    json: { command, complete: false, reason, items: rows, ...rest },
    text: `${text(items)}\nNOT COMPLETE: ${items.length} ${what} were read, then ${reason}`,
    exit: 4,
  };
}
