/** stdout or stderr with any reader: a blocked terminal, a closed pipe, a full disk. Writing never throws. */
import type { Writable } from 'node:stream';

/** Characters queued for a slow reader; more are dropped and counted. */
const BACKLOG_MAX = 65_536;

/** Node's internal handle, the only way to a non-blocking terminal. */
interface Handle {
  readonly fd?: number;
  readonly setBlocking?: (on: boolean) => unknown;
}

type OutletStream = Writable & { readonly isTTY?: boolean; readonly fd?: number; readonly _handle?: unknown };

export class Outlet {
  readonly #stream: OutletStream;
  readonly #write: OutletStream['write'];
  readonly #onFailure: (reason: string) => void;
  #bounded = false;
  #dropped = 0;
  #failed = false;

  /** `onFailure` is called once with the reason of a write failure other than a closed reader. */
  constructor(stream: OutletStream, onFailure: (reason: string) => void = () => {}) {
    this.#stream = stream;
    this.#write = stream.write.bind(stream);
    this.#onFailure = onFailure;
    stream.on('error', (error: NodeJS.ErrnoException) => this.#fail(error));
  }

  /** A write failed although its reader was there, such as by a full disk. */
  get failed(): boolean {
    return this.#failed;
  }

  write(text: string): void {
    const waiting = this.#stream.writableLength;
    if (this.#bounded && waiting > 0 && waiting + text.length > BACKLOG_MAX) {
      this.#dropped += text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
      return;
    }
    this.#send(text);
  }

  /**
   * From here on a blocked reader loses lines. False where it still blocks: another user's terminal cannot be reopened.
   */
  neverWait(): boolean {
    this.#bounded = true;
    if (this.#stream.isTTY !== true) return true;
    // Node writes to terminals in blocking mode; only the handle can change that.
    const handle = this.#stream._handle as Handle | undefined;
    if (handle?.setBlocking === undefined || handle.fd === this.#stream.fd) return false;
    handle.setBlocking(false);
    return true;
  }

  /** From here on what others write to the stream, such as a strategy's console, goes to `other`. */
  keepAlone(other: Outlet): void {
    this.#stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
      other.write(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      const done = rest.at(-1);
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
  }

  /** Resolves when everything was written or cannot be any more. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      this.#send('', resolve);
    });
  }

  #send(text: string, done?: () => void): void {
    try {
      this.#write(text, (error) => {
        done?.();
        if (error === null || error === undefined) this.#sayDropped();
      });
    } catch (thrown) {
      this.#fail(thrown as NodeJS.ErrnoException);
      done?.();
    }
  }

  #sayDropped(): void {
    const count = this.#dropped;
    if (count === 0 || this.#stream.writableLength > 0) return;
    this.#dropped = 0;
    this.#send(
      `(${count} ${count === 1 ? 'line is' : 'lines are'} missing here: the output was not read for a while)\n`,
    );
  }

  /** A closed reader (`| head`, a closed terminal) is no error and ends no session. */
  #fail({ code, message }: NodeJS.ErrnoException): void {
    if (code === 'EPIPE' || (code === 'EIO' && this.#stream.isTTY === true) || this.#failed) return;
    this.#failed = true;
    this.#onFailure(message);
  }
}
