/**
 * The gate that another instance closes: orders that bear our mark and are in no journal of ours mean that a second process
 * trades on the account, whose risk nobody here counts (reliability §0.9, O40). Shut while such an order rests, and until two
 * complete readings a minute apart, and all between them, show none: a single list may be empty without a reason. An order
 * once seen with our mark stays another's when the exchange forgets its client id. One that never rests is seen in the
 * history: when it was made since this process started, it counts as one that was there a moment ago. Where its date does not
 * tell, being one to come, it was made since unless the first whole history showed it already. Told by the reconciler.
 */
import type { OrderReport } from '../../model/order.ts';
import type { Gate, GateClosure } from '../../model/ports.ts';
import { intentIdOf } from '../order-spec.ts';
import { itemsOf, type Readings } from './compare.ts';
import type { ReconcilerPort } from './port.ts';

/** A market maker that still runs has placed another one by then. */
const QUIET_MS = 60_000;
const KNOWN_MAX = 1_000;
/** Between the exchange's clock and ours: what a session before this one did last is no other instance. */
const SKEW_MS = 5_000;
/** A date further ahead is of a clock that was wrong, and the exchange's shuts new risk by itself (`clock_doubt`). */
const AHEAD_MS_MAX = 10_000;

export class InstanceGate implements Gate {
  readonly name = 'instance';
  readonly #port: ReconcilerPort;
  readonly #startedAt: number;
  #known = new Set<string>();
  /** Dated ahead, and shown up to the first whole history: no more than that held. One that lagged shuts for a minute in vain. */
  readonly #aheadAtStart = new Set<string>();
  #hasHistory = false;
  #newest = '';
  #isShut = false;
  /** `asOf` of the first complete reading without one since the last was seen; null while one rests. */
  #goneSince: number | null = null;

  constructor(port: ReconcilerPort) {
    this.#port = port;
    this.#startedAt = port.deps.clock.now();
  }

  /**
   * What one set of readings shows; `marked` are those that rest, tell our mark and are known to no journal, `ended` those of
   * the history.
   */
  saw(marked: readonly OrderReport[], ended: readonly OrderReport[], { active, history }: Readings): void {
    if (!this.#hasHistory) {
      // Whether or not its mark is told now.
      for (const report of itemsOf(history)) if (this.#isAhead(report)) this.#aheadAtStart.add(report.orderId);
      this.#hasHistory = history?.kind === 'complete';
    }
    for (const { orderId } of marked) this.#tell(orderId);
    for (const report of ended) this.#sawEnded(report);
    const resting = itemsOf(active).filter(({ orderId }) => this.#known.has(orderId));
    // The oldest are told no more.
    if (this.#known.size > KNOWN_MAX && active.kind !== 'failed')
      this.#known = new Set([...[...this.#known].slice(-KNOWN_MAX / 2), ...resting.map(({ orderId }) => orderId)]);
    const last = resting.at(-1);
    if (last !== undefined) {
      this.#newest = last.orderId;
      this.#isShut = true;
      this.#goneSince = null;
    } else if (this.#isShut && active.kind === 'complete') {
      // What ended was there until its history was read, which is after this list.
      this.#goneSince ??= Math.max(active.asOf, history?.asOf ?? 0);
      this.#isShut = active.asOf < this.#goneSince + QUIET_MS;
    }
  }

  closedBecause(): GateClosure | null {
    if (!this.#isShut) return null;
    const state = this.#goneSince === null ? 'rests' : 'was there a moment ago';
    return {
      reason: 'another_instance',
      message: `order ${this.#newest} bears our mark, is not in this journal and ${state}: stop the other instance`,
    };
  }

  #sawEnded({ orderId, clientOrderId, createdAt }: OrderReport): void {
    // One of ours that is remembered no more.
    if (this.#port.isOfThisSession(intentIdOf(clientOrderId) ?? '')) return;
    if (this.#known.has(orderId) || this.#aheadAtStart.has(orderId)) return;
    if (createdAt < this.#startedAt + SKEW_MS) return;
    this.#tell(orderId);
    this.#newest = orderId;
    this.#isShut = true;
    this.#goneSince = null;
  }

  #isAhead({ createdAt }: OrderReport): boolean {
    return createdAt > this.#port.deps.clock.now() + AHEAD_MS_MAX;
  }

  /** Each order once. */
  #tell(orderId: string): void {
    if (this.#known.has(orderId)) return;
    this.#known.add(orderId);
    const message = `order ${orderId} bears our mark but is not in this journal: another instance may be running`;
    this.#port.alarm('foreign_prefix', message);
  }
}
