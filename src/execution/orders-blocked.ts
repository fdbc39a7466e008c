/**
 * The gate that closes when something before the exchange turns orders away while everything else can be read: a firewall,
 * a country block, a captcha (reliability R14). Two such answers in a row close it, with an alarm that says so; after a
 * pause one order may try again, and the pause doubles each time that it is turned away. An answer in the exchange's own
 * words opens it. Sending on would leave one order of unknown fate after the other, and may end in a ban.
 */
import type { Clock, Gate, GateClosure } from '../model/ports.ts';
import type { Outcome } from '../model/result.ts';
import { ProbingPause } from './probing-pause.ts';

const IN_A_ROW = 2;

export class OrdersBlocked implements Gate {
  readonly name = 'orders-blocked';
  readonly #pause: ProbingPause;
  readonly #alarm: (message: string) => void;
  #count = 0;
  #why = '';

  constructor(clock: Clock, alarm: (message: string) => void) {
    this.#pause = new ProbingPause(clock);
    this.#alarm = alarm;
  }

  closedBecause(): GateClosure | null {
    if (this.#pause.isOver) return null;
    return {
      reason: 'orders_blocked',
      message: `orders are turned away before the exchange; next try ${this.#pause.until}: ${this.#why}`,
    };
  }

  /** Of a create or a cancel. */
  answered(outcome: Outcome): void {
    if (outcome.kind === 'accepted' || outcome.kind === 'refused') {
      this.#count = 0;
      this.#pause.end();
      return;
    }
    if (outcome.kind !== 'unknown' || outcome.blocked !== true) return;
    this.#count++;
    if (this.#count < IN_A_ROW) return;
    const pauseS = this.#pause.begin();
    this.#why = outcome.reason;
    this.#alarm(
      `something before the exchange turns orders away; no new risk for ${pauseS} s. Look at address, country and firewall: ${outcome.reason}`,
    );
  }
}
