/**
 * The gate that closes when something before the exchange turns orders away while everything else can be read: a firewall,
 * a country block, a captcha (reliability R14). Two such answers in a row close it, with an alarm that says so; after a
 * pause one order may try again, and the pause doubles each time that it is turned away. An answer in the exchange's own
 * words opens it. Sending on would leave one order of unknown fate after the other, and may end in a ban.
 */
import type { Clock, Gate, GateClosure } from '../model/ports.ts';
import type { Outcome } from '../model/result.ts';

const IN_A_ROW = 2;
const PAUSE_MS = 60_000;
const PAUSE_MS_MAX = 1_800_000;

export class OrdersBlocked implements Gate {
  readonly name = 'orders-blocked';
  readonly #clock: Clock;
  readonly #alarm: (message: string) => void;
  #count = 0;
  #closedUntil = Number.NEGATIVE_INFINITY;
  #why = '';

  constructor(clock: Clock, alarm: (message: string) => void) {
    this.#clock = clock;
    this.#alarm = alarm;
  }

  closedBecause(): GateClosure | null {
    if (this.#clock.now() >= this.#closedUntil) return null;
    const until = new Date(this.#closedUntil).toISOString();
    return {
      reason: 'orders_blocked',
      message: `orders are turned away before the exchange; next try ${until}: ${this.#why}`,
    };
  }

  /** Of a create or a cancel. */
  answered(outcome: Outcome): void {
    if (outcome.kind === 'accepted' || outcome.kind === 'refused') {
      this.#count = 0;
      this.#closedUntil = Number.NEGATIVE_INFINITY;
      return;
    }
    if (outcome.kind !== 'unknown' || outcome.blocked !== true) return;
    this.#count++;
    if (this.#count < IN_A_ROW) return;
    const pauseMs = Math.min(PAUSE_MS * 2 ** (this.#count - IN_A_ROW), PAUSE_MS_MAX);
    this.#closedUntil = this.#clock.now() + pauseMs;
    this.#why = outcome.reason;
    this.#alarm(
      `something before the exchange turns orders away; no new risk for ${pauseMs / 1000} s. Look at address, country and firewall: ${outcome.reason}`,
    );
  }
}
