/** Keeps a session's decisions for `replay`, written after their turn. */
import { appendFileSync } from 'node:fs';
import type { Action } from '../../model/trading/action.ts';
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import { actionLine } from './action-log.ts';

const WAITING_MAX = 1_000;

interface Decision {
  readonly ts: number;
  readonly tag: string;
  readonly actions: readonly Action[];
}

export class ActionWriter {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #waiting: Decision[] = [];
  #disarm: Cancel = () => {};
  #broken = false;

  constructor(file: string, clock: Clock, logger: Logger) {
    this.#file = file;
    this.#clock = clock;
    this.#logger = logger;
  }

  add(ts: number, tag: string, actions: readonly Action[]): void {
    if (this.#broken) return;
    this.#waiting.push({ ts, tag, actions });
    if (this.#waiting.length > WAITING_MAX) this.flush();
    else if (this.#waiting.length === 1) this.#disarm = this.#clock.after(0, () => this.flush());
  }

  flush(): void {
    this.#disarm();
    const decisions = this.#waiting;
    if (decisions.length === 0) return;
    this.#waiting = [];
    try {
      appendFileSync(this.#file, decisions.map(linesOf).join(''), { mode: 0o600 });
    } catch (thrown) {
      this.#broken = true;
      this.#logger.error({ reason: messageOf(thrown) }, 'the record of actions cannot be written any more');
    }
  }
}

function linesOf({ ts, tag, actions }: Decision): string {
  return actions.map((action) => `${actionLine(ts, tag, action)}\n`).join('');
}
