/**
 * Gate against a firewall, country block or captcha before the exchange (reliability R14). Two such answers in a row
 * close it for a doubling pause, after which one order may try; an answer of the exchange opens it. Sending on would
 * leave unknown orders and risk a ban.
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
