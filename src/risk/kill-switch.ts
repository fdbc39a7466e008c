/**
 * The kill switch: a synchronous latch, checked last in the send path, durable through the journal. It depends on
 * nothing that could be broken: latching works without a journal, and only a human's command opens it again.
 */
import { denied, type Denied } from '../model/deny-reason.ts';

/** The reason by which `panic --flatten` latches: it closes positions itself, so an exit beside it would sell them twice. */
export const PANIC_FLATTEN = 'panic --flatten';

export class KillSwitch {
  #reason: string | undefined;

  get on(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  /** False when it was on already and stays as it was. */
  latch(reason: string): boolean {
    if (this.#reason !== undefined && (reason !== PANIC_FLATTEN || this.#reason === reason)) return false;
    this.#reason = reason;
    return true;
  }

  clear(): void {
    this.#reason = undefined;
  }

  /** New risk is denied while it is on; exits pass, other than beside `panic --flatten`. */
  denial(exits: boolean): Denied | null {
    if (this.#reason === undefined || (exits && this.#reason !== PANIC_FLATTEN)) return null;
    return denied('killed', `the kill switch is on: ${this.#reason}`);
  }
}
