/**
 * The gate that another instance closes: orders that bear our mark and are in no journal of ours mean that a second process
 * trades on the account, whose risk nobody here counts (reliability §0.9, O40). Shut while such an order rests, and for a
 * minute after the last one was seen; a human stops the other instance. Told by the reconciler.
 */
import type { OrderReport } from '../../model/order.ts';
import type { Clock, Gate, GateClosure } from '../../model/ports.ts';

/** A market maker that still runs has placed another one by then. */
const QUIET_MS = 60_000;
const KNOWN_MAX = 1_000;

export class InstanceGate implements Gate {
  readonly name = 'instance';
  readonly #clock: Clock;
  readonly #alarm: (message: string) => void;
  readonly #known = new Set<string>();
  #newest = '';
  #seenAt = Number.NEGATIVE_INFINITY;
  #rests = false;

  constructor(clock: Clock, alarm: (message: string) => void) {
    this.#clock = clock;
    this.#alarm = alarm;
  }

  /** What one reading shows to rest. `isComplete`: nothing else rests. */
  saw(resting: readonly OrderReport[], isComplete: boolean): void {
    for (const { orderId } of resting) {
      this.#newest = orderId;
      this.#seenAt = this.#clock.now();
      this.#tell(orderId);
    }
    this.#rests = resting.length > 0 || (this.#rests && !isComplete);
  }

  closedBecause(): GateClosure | null {
    if (!this.#rests && this.#clock.now() >= this.#seenAt + QUIET_MS) return null;
    const state = this.#rests ? 'rests' : 'was there a moment ago';
    return {
      reason: 'another_instance',
      message: `order ${this.#newest} bears our mark, is not in this journal and ${state}: stop the other instance`,
    };
  }

  /** Each order once; the memory is bounded by forgetting all. */
  #tell(orderId: string): void {
    if (this.#known.has(orderId)) return;
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.add(orderId);
    this.#alarm(`order ${orderId} bears our mark but is not in this journal: another instance may be running`);
  }
}
