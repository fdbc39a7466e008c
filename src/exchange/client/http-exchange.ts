/**
 * One request under way. No stream, promise or abort signal, since an order waits for what is made before its bytes.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

export type Exchanged =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export class HttpExchange implements Dispatcher.DispatchHandler {
  readonly #settle: (result: Exchanged) => void;
  readonly #chunks: Buffer[] = [];
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | null = null;
  #aborted: Error | null = null;

  /** A dispatcher that fails twice calls `settle` twice; the first counts. */
  constructor(settle: (result: Exchanged) => void) {
    this.#settle = settle;
  }

  /** Its connection is closed, or none of its bytes leave. */
  abort(reason: Error): void {
    this.#aborted = reason;
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#aborted === null) this.#controller = controller;
    else controller.abort(this.#aborted);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // The final answer comes after an informational one.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle({
      kind: 'response',
      status: this.#status,
      headers: flatHeaders(this.#headers),
      body: textOf(this.#chunks),
    });
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: unknown): void {
    this.#settle({ kind: 'failed', error });
  }
}

function flatHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** Without a byte order mark. */
function textOf(chunks: readonly Buffer[]): string {
  const [first = Buffer.alloc(0)] = chunks;
  const bytes = chunks.length > 1 ? Buffer.concat(chunks) : first;
  return bytes.toString('utf8', bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0);
}
