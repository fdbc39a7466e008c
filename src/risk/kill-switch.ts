/** A synchronous latch, checked last before a send. It needs no journal, and only a human's command releases it. */
import { denied, type Denied } from '../model/trading/deny-reason.ts';

/** This reason denies exits too, because the panic closes positions itself. */
export const PANIC_FLATTEN = 'panic --flatten';

export class KillSwitch {
  #reason: string | undefined;
  #presses = 0;

  get on(): boolean {
    return this.#reason !== undefined;
  }

  /** Kill commands in this process while the switch is on. */
  get presses(): number {
    return this.#presses;
  }

  /** False when it was on already; nothing changes then. */
  latch(reason: string): boolean {
    this.#presses++;
    if (this.#reason !== undefined && (reason !== PANIC_FLATTEN || this.#reason === reason)) return false;
    this.#reason = reason;
    return true;
  }

  clear(): void {
    this.#reason = undefined;
  }

  denial(exits: boolean): Denied | null {
    if (this.#reason === undefined || (exits && this.#reason !== PANIC_FLATTEN)) return null;
    return denied('killed', `the kill switch is on: ${this.#reason}`);
  }
}
