/**
 * Messages for one sink in order, retried, dropped when too old. At the bound a digest or fill is dropped before a
 * page.
 */
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import type { AlertMessage, Deliver } from './sinks.ts';

const WAITING_MAX = 100;
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 60_000;
const AGE_MS_MAX = 900_000;

export interface SinkQueueDeps {
  /** For the log; never the address. */
  readonly name: string;
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class SinkQueue {
  readonly #deps: SinkQueueDeps;
  readonly #waiting: AlertMessage[] = [];
  readonly #idle: (() => void)[] = [];
  /** The first is being sent. */
  #isSending = false;
  #busy = false;
  #pauseMs = 0;
  #dropped = 0;
  #stopTimer: Cancel = () => {};
  #closed = false;
  /** Nobody waits any more for what is being sent. */
  readonly #left = new AbortController();

  constructor(deps: SinkQueueDeps) {
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(message: AlertMessage): void {
    if (this.#closed) return;
    if (this.#waiting.length >= WAITING_MAX) this.#dropOne();
    this.#waiting.push(message);
    this.#next();
  }

  async close(withinMs: number): Promise<void> {
    if (this.#waiting.length > 0 || this.#busy) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#idle.push(resolve);
      const stop = this.#deps.clock.after(withinMs, resolve);
      await promise;
      stop();
    }
    this.#closed = true;
    this.#left.abort();
    this.#stopTimer();
    if (this.#waiting.length > 0)
      this.#deps.logger.error({ sink: this.#deps.name, left: this.#waiting.length }, 'alerts were not delivered');
  }

  /** Never what is being sent: it may be delivered. */
  #dropOne(): void {
    const oldest = this.#isSending ? 1 : 0;
    const minor = this.#waiting.findIndex(({ topic }, index) => index >= oldest && topic !== 'page');
    this.#waiting.splice(Math.max(oldest, minor), 1);
    this.#dropped++;
  }

  #next(): void {
    const [first] = this.#waiting;
    if (this.#busy || this.#closed) return;
    if (first === undefined) {
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    this.#busy = true;
    void this.#send(first);
  }

  async #send(first: AlertMessage): Promise<void> {
    const { deliver, clock, logger, name } = this.#deps;
    const told =
      this.#dropped === 0 ? first : { ...first, text: `${first.text} (${this.#dropped} earlier alerts dropped)` };
    const dropped = this.#dropped;
    this.#isSending = true;
    const failure = await deliver(told, this.#left.signal);
    this.#isSending = false;
    if (failure === null) {
      this.#dropped -= dropped;
      this.#pauseMs = 0;
    } else {
      logger.warn({ sink: name, code: first.code, reason: failure }, 'an alert was not delivered');
      this.#pauseMs = Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS, this.#pauseMs * 2));
    }
    const isOld = clock.now() - first.ts > AGE_MS_MAX;
    if (failure !== null && isOld) this.#dropped++;
    if (failure === null || isOld) this.#waiting.shift();
    if (this.#closed) return;
    if (this.#pauseMs === 0) this.#rest();
    else this.#stopTimer = clock.after(this.#pauseMs, () => this.#rest());
  }

  #rest(): void {
    this.#busy = false;
    this.#next();
  }
}
