/**
 * Gate for symbols in which the exchange reported the end of an order that may still rest. What the end freed could be
 * used twice.
 *
 *   E1  An end that nobody here asked for waits for the next comparison with the lists.
 *   E2  An end that was asked for, and a refusal, are believed from one source (answer or push). Until the other source or
 *       a comparison confirms it, the end of the replacing order waits for the next comparison. So a false report is used
 *       once, and limits are exceeded by at most as much again.
 *   E3  If a list shows an order that was reported over, its symbol is halted until no list shows it.
 *   E4  A false end halts its symbol for one `historyLagMs`. For an hour each end there waits for a comparison.
 *   E5  The answer to a cancel no longer ends an order whose end was false: only a push or a list does.
 */
import type { Gate, GateClosure } from '../../model/ports.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import type { Core } from '../core.ts';

const DISTRUST_MS = 3_600_000;

/** Sources that reported the end of an order. */
export const ANSWERED = 1;
export const PUSHED = 2;

interface Believed {
  /** Unix ms. */
  readonly at: number;
  words: number;
}

export class EndsInDoubt implements Gate {
  readonly name = 'ends-in-doubt';
  readonly #core: Core;
  /** Symbol → halted until a comparison that began at this time or later, Unix ms. */
  readonly #until = new Map<string, { readonly from: number; readonly why: string }>();
  /** Symbol → ends known from one source, oldest first. */
  readonly #believed = new Map<string, Map<OwnOrder, Believed>>();
  /** Symbol → Unix ms until which its ends are not believed. */
  readonly #distrusted = new Map<string, number>();
  readonly #wereFalse = new WeakSet<OwnOrder>();

  constructor(core: Core) {
    this.#core = core;
  }

  closedBecause(symbol: string): GateClosure | null {
    const doubt = this.#until.get(symbol);
    if (doubt === undefined) return null;
    if (this.#core.state.heard.comparedFrom > doubt.from) {
      this.#until.delete(symbol);
      return null;
    }
    return { reason: 'not_reconciled', message: `${doubt.why}: no new risk until the lists are compared` };
  }

  ended(order: OwnOrder): void {
    const core = this.#core;
    if (!core.isCompared || !couldRest(order)) return;
    const { ref, progress, createdAt, instrument } = order;
    const now = core.now();
    const is = `the exchange reports that ${ref} is ${progress.state}`;
    const believed = this.#believedOf(instrument.symbol);
    const { value: first } = believed.values().next();
    if (isUnasked(order)) this.#doubt(order, now, `${is}, which nobody here asked for`);
    else if (now < (this.#distrusted.get(instrument.symbol) ?? 0))
      this.#doubt(order, now, `${is}, and such a report was false before`);
    else if (first !== undefined && createdAt >= first.at)
      this.#doubt(order, now, `${is}, and other unconfirmed ends depend on it`);
    else believed.set(order, { at: now, words: 0 });
  }

  /** A source reported the end: `ANSWERED` or `PUSHED`. */
  heard(order: OwnOrder, word: number): void {
    const believed = this.#believed.get(order.instrument.symbol);
    const end = believed?.get(order);
    if (believed === undefined || end === undefined) return;
    end.words |= word;
    if (end.words === (ANSWERED | PUSHED)) believed.delete(order);
  }

  /** A list shows an order that was reported over. The list may lag. */
  listed(order: OwnOrder): void {
    this.#shut(order, this.#core.now(), `a list shows ${order.ref} as active, but the exchange reported its end`);
  }

  /** The reported end was false, or the order has filled since. */
  false(order: OwnOrder): void {
    const core = this.#core;
    if (!core.isCompared) return;
    this.#wereFalse.add(order);
    const now = core.now();
    this.#distrusted.set(order.instrument.symbol, now + DISTRUST_MS);
    const { historyLagMs } = core.deps.options.reconcile;
    this.#doubt(order, now + historyLagMs, `the exchange reported the end of ${order.ref}, which was not over`);
  }

  wasFalse(order: OwnOrder): boolean {
    return this.#wereFalse.has(order);
  }

  /** Ends that no comparison has confirmed yet. */
  #believedOf(symbol: string): Map<OwnOrder, Believed> {
    const { comparedFrom } = this.#core.state.heard;
    let believed = this.#believed.get(symbol);
    if (believed === undefined) this.#believed.set(symbol, (believed = new Map()));
    for (const [order, { at }] of believed) {
      if (at >= comparedFrom) break;
      believed.delete(order);
    }
    return believed;
  }

  #doubt(order: OwnOrder, from: number, why: string): void {
    if (this.#shut(order, from, why)) this.#core.doubt(why);
  }

  #shut({ instrument }: OwnOrder, from: number, why: string): boolean {
    if (from <= (this.#until.get(instrument.symbol)?.from ?? 0)) return false;
    this.#until.set(instrument.symbol, { from, why });
    return true;
  }
}

/** Only the exchange's report says that it is over. Its trades do not show it, and it is of a kind that rests. */
function couldRest({ request, progress }: OwnOrder): boolean {
  const { state } = progress;
  if (state === 'rejected') return true;
  return (state === 'canceled' || state === 'expired') && request.type === 'limit' && request.timeInForce !== 'ioc';
}

function isUnasked({ cancel, cancelWanted, progress }: OwnOrder): boolean {
  return progress.state !== 'rejected' && cancel === 'none' && !cancelWanted;
}
