/**
 * Closed while orders with our prefix rest that are in no journal row: another instance trades here. Opens when
 * complete lists show none for a minute. An ended order counts if it was created after the start.
 */
import { itemsOf } from '../model/result.ts';
import type { OrderReport } from '../model/trading/order.ts';
import type { Gate, GateClosure } from '../model/ports.ts';
import { intentIdOf } from '../spine/intent-id.ts';
import type { Readings } from './compare.ts';
import { isOfThisSession } from './local-order.ts';
import type { ReconcilerPort } from './port.ts';

/** ms. Within this time a running market maker would place another order. */
const QUIET_MS = 60_000;
const KNOWN_MAX = 1_000;
/** ms of clock skew. Orders of an earlier session must not count. */
const SKEW_MS = 5_000;

export class InstanceGate implements Gate {
  readonly name = 'instance';
  readonly #port: ReconcilerPort;
  readonly #startedAt: number;
  #known = new Set<string>();
  #newest = '';
  #isShut = false;
  /** `asOf` of the first complete list without such an order; null while one rests. */
  #goneSince: number | null = null;

  constructor(port: ReconcilerPort) {
    this.#port = port;
    this.#startedAt = port.deps.clock.now();
  }

  /** `marked`: resting, with our prefix, not journalled. `ended`: from history. */
  saw(marked: readonly OrderReport[], ended: readonly OrderReport[], { active, history }: Readings): void {
    for (const { orderId } of marked) this.#report(orderId);
    for (const report of ended) this.#sawEnded(report);
    const resting = itemsOf(active).filter(({ orderId }) => this.#known.has(orderId));
    if (this.#known.size > KNOWN_MAX && active.kind !== 'failed')
      this.#known = new Set([...[...this.#known].slice(-KNOWN_MAX / 2), ...resting.map(({ orderId }) => orderId)]);
    const last = resting.at(-1);
    if (last !== undefined) {
      this.#newest = last.orderId;
      this.#isShut = true;
      this.#goneSince = null;
    } else if (this.#isShut && active.kind === 'complete') {
      // The history is later than this list, and the order may have rested until then.
      this.#goneSince ??= Math.max(active.asOf, history?.asOf ?? 0);
      this.#isShut = active.asOf < this.#goneSince + QUIET_MS;
    }
  }

  closedBecause(): GateClosure | null {
    if (!this.#isShut) return null;
    const state = this.#goneSince === null ? 'rests' : 'was there a moment ago';
    return {
      reason: 'another_instance',
      message: `order ${this.#newest} has our prefix, is not in this journal and ${state}: stop the other instance`,
    };
  }

  #sawEnded({ orderId, clientOrderId, createdAt }: OrderReport): void {
    if (isOfThisSession(this.#port.state, intentIdOf(clientOrderId) ?? '')) return;
    if (this.#known.has(orderId) || createdAt < this.#startedAt + SKEW_MS) return;
    this.#report(orderId);
    this.#newest = orderId;
    this.#isShut = true;
    this.#goneSince = null;
  }

  #report(orderId: string): void {
    if (this.#known.has(orderId)) return;
    this.#known.add(orderId);
    const message = `order ${orderId} has our prefix but is not in this journal: another instance may be running`;
    this.#port.alarm('foreign_prefix', message);
  }
}
