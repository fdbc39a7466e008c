/**
 * One of the two ways out of the process, stdout or stderr, whatever stands behind it: a terminal that stopped reading
 * (Ctrl-S, a frozen ssh, a laptop asleep), a reader that went away, a full disk. Writing never throws. Made once each by
 * `main.ts`.
 */
import type { Writable } from 'node:stream';

/** Characters that may wait for a reader; what comes then is dropped, and counted. */
const BACKLOG_MAX = 65_536;

/** Node's own handle of a stream: it has no other way to a terminal that does not hold the process up. */
interface Handle {
  readonly fd?: number;
  readonly setBlocking?: (on: boolean) => unknown;
}

/** What is needed of stdout and stderr. */
type OutletStream = Writable & { readonly isTTY?: boolean; readonly fd?: number; readonly _handle?: unknown };

export class Outlet {
  readonly #stream: OutletStream;
  readonly #onFailure: (reason: string) => void;
  #bounded = false;
  #dropped = 0;
  #failed = false;

  /** `onFailure` is told, once, why something could not be written although its reader was there. */
  constructor(stream: OutletStream, onFailure: (reason: string) => void = () => {}) {
    this.#stream = stream;
    this.#onFailure = onFailure;
    stream.on('error', (error: NodeJS.ErrnoException) => this.#fail(error));
  }

  /** True once something could not be written although its reader was there: a full disk. */
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
   * From here on a reader that does not read costs lines instead of holding the process up. False where it still does: a
   * terminal that belongs to another user (after `su`) cannot be opened anew, and what is set on its file would be set for
   * the shell, too.
   */
  neverWait(): boolean {
    this.#bounded = true;
    if (this.#stream.isTTY !== true) return true;
    // Node writes to a terminal blocking, and says so on the handle alone.
    const handle = this.#stream._handle as Handle | undefined;
    if (handle?.setBlocking === undefined || handle.fd === this.#stream.fd) return false;
    handle.setBlocking(false);
    return true;
  }

  /** Resolves when all that was written has left, or cannot leave any more. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      this.#send('', resolve);
    });
  }

  #send(text: string, done?: () => void): void {
    try {
      this.#stream.write(text, (error) => {
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
    this.#send(`(${count} ${count === 1 ? 'line is' : 'lines are'} missing here: nobody read for a while)\n`);
  }

  /** A reader that went away (`| head`, a closed terminal) is no error of ours, and no reason to drop a session. */
  #fail({ code, message }: NodeJS.ErrnoException): void {
    if (code === 'EPIPE' || (code === 'EIO' && this.#stream.isTTY === true) || this.#failed) return;
    this.#failed = true;
    this.#onFailure(message);
  }
}
