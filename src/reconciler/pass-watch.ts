/**
 * Watches the passes themselves. While none is whole the account could differ unseen, so new risk stops, and an alarm names
 * what cannot be read. An order that was answered as filled, without its trades, is looked for soon.
 */
import type { Cancel } from '../model/ports.ts';
import type { ReconcileGate } from './gate.ts';
import { isInDoubt, liveOrders } from './local-order.ts';
import type { ReconcilerPort } from './port.ts';

/** ms. */
const FAILING_MS = 60_000;
const FAILURES_NAMED = 3;

export class PassWatch {
  readonly #port: Pick<ReconcilerPort, 'alarm' | 'deps' | 'state'>;
  readonly #gate: Pick<ReconcileGate, 'failing'>;
  /** Unix ms; null: the last pass was whole. */
  #failingFrom: number | null = null;
  #late: Cancel | undefined;

  constructor(port: Pick<ReconcilerPort, 'alarm' | 'deps' | 'state'>, gate: Pick<ReconcileGate, 'failing'>) {
    this.#port = port;
    this.#gate = gate;
  }

  passed(failures: readonly string[]): void {
    if (failures.length === 0) {
      this.#failingFrom = null;
      this.#gate.failing = undefined;
      return;
    }
    const now = this.#port.deps.clock.now();
    this.#failingFrom ??= now;
    if (now - this.#failingFrom < FAILING_MS || this.#gate.failing !== undefined) return;
    const what = failures.slice(0, FAILURES_NAMED).join('; ');
    const since = new Date(this.#failingFrom).toISOString();
    this.#gate.failing = `the account could not be compared with the exchange since ${since}: ${what}`;
    this.#port.alarm('comparison_failing', this.#gate.failing);
  }

  /** `look` is called unless the trades have come meanwhile. */
  awaitTrades(look: () => void): void {
    const { clock, options } = this.#port.deps;
    this.#late ??= clock.after(options.reconcile.urgentIntervalMs, () => {
      this.#late = undefined;
      if (liveOrders(this.#port.state).some(isInDoubt)) look();
    });
  }

  stop(): void {
    this.#late?.();
    this.#late = undefined;
  }
}
