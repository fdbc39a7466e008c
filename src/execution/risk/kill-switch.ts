/**
 * The kill switch: a synchronous latch, checked last in the send path, durable through the journal. It depends on
 * nothing that could be broken: latching works without a journal, and only a human's command opens it again.
 */
import { denied, type Denied } from '../../model/deny-reason.ts';

export class KillSwitch {
  #reason: string | undefined;

  get on(): boolean {
    return this.#reason !== undefined;
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  /** Answers false when it was on already. */
  latch(reason: string): boolean {
    if (this.#reason !== undefined) return false;
    this.#reason = reason;
    return true;
  }

  clear(): void {
    this.#reason = undefined;
  }

  /** New risk is denied while it is on; exits pass. */
  denial(exits: boolean): Denied | null {
    if (this.#reason === undefined || exits) return null;
    return denied('killed', `the kill switch is on: ${this.#reason}`);
  }
}
