/** One line of a signal file: `{"name": "trend", "id": "42", "ts": 1767225600000, "data": {"side": "long"}}`. */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { deepFrozen } from '../../model/plain-data.ts';
import { messageOf } from '../../model/errors.ts';
import type { Json } from '../../model/text/json.ts';

export const LINE_BYTES_MAX = 65_536;

const line = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'expected 1 to 64 letters, digits, - _ .'),
  id: z.string().min(1).max(64).optional(),
  ts: z.number().int().nonnegative().optional(),
  data: z.json().default(null),
});

/** `ts` undefined: the line gives none. */
export interface SignalLine {
  readonly name: string;
  readonly id: string;
  readonly ts: number | undefined;
  readonly data: Json;
}

/**
 * The signal of a line, or what is wrong with it. `place`: byte at which the line begins, which distinguishes equal
 * lines without an id.
 */
export function parseSignalLine(text: string, place: number): SignalLine | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return `it is not JSON: ${messageOf(thrown)}`;
  }
  const parsed = line.safeParse(value);
  if (!parsed.success) return z.prettifyError(parsed.error).replaceAll('\n', ' ');
  const { name, id = hash('sha256', `${place} ${text}`, 'hex').slice(0, 16), ts, data } = parsed.data;
  // All strategies get the same object.
  return Object.freeze({ name, id, ts, data: deepFrozen(data) });
}
