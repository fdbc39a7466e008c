/** Messages as bytes, made once for all clients that get the same: with ten of them a tenth of the work. */
import type { JournalRow } from '../../model/entries/journal.ts';
import { jsonText } from '../../model/text/json-text.ts';
import { entryRowOf } from '../fleet/entry-row.ts';
import type { StreamMessage } from '../schemas/stream.ts';

/** Clients that keep up ask for the newest rows, one after another. */
const ROWS_MAX = 256;

export class SharedTexts {
  readonly #rows = new Map<JournalRow, Buffer>();
  readonly #others = new WeakMap<object, Map<string, Buffer>>();

  entry(row: JournalRow, session: string): Buffer {
    const known = this.#rows.get(row);
    if (known !== undefined) return known;
    const bytes = bytesOf({ ...entryRowOf(row), type: 'entry', session });
    this.#rows.set(row, bytes);
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= ROWS_MAX) break;
      this.#rows.delete(oldest);
    }
    return bytes;
  }

  /** `of`: what the message is made from; `key`: in which form. */
  other(of: object, key: string, make: () => StreamMessage): Buffer {
    let forms = this.#others.get(of);
    if (forms === undefined) this.#others.set(of, (forms = new Map()));
    let bytes = forms.get(key);
    if (bytes === undefined) forms.set(key, (bytes = bytesOf(make())));
    return bytes;
  }
}

function bytesOf(message: StreamMessage): Buffer {
  return Buffer.from(jsonText(message));
}
