/**
 * What is on its way never carries a position where nobody asked for it (reliability O41, INV-R4), by rows of the journal alone:
 *
 *   T1  when an order of a target is decided, the position and every order of the strategy that may still trade the same way
 *       stay within what was asked for
 *   R4  reductions that rest and are not called back stay within the position
 */
import { isRecord } from '../../../src/exchange/wire/decoded.ts';
import type { CreateIntentEntry, DenialEntry, JournalEntry } from '../../../src/model/entries/journal.ts';
import type { VenueFill } from '../../../src/model/trading/fill.ts';
import { dec, type Decimal, isDecimalText, ZERO, greater } from '../../../src/model/numbers/money.ts';
import { signedOf } from './spot-positions.ts';

interface Order {
  readonly entry: CreateIntentEntry;
  left: Decimal;
  sent: boolean;
  /** The exchange has named it. */
  rests: boolean;
  isCalledBack: boolean;
  /** Beyond the position, since then; µs. */
  excessUs: number | null;
}

/** A fee in base leaves fractions of a lot. */
const ROUNDING = '-0.00001';
/** An order whose create is not answered cannot be called back yet. */
const SOON_US = 5_000_000;
const ENDED: ReadonlySet<string> = new Set(['filled', 'canceled', 'rejected', 'expired']);

export class PositionLaws {
  readonly #violated: (law: string, what: string) => void;
  readonly #intents = new Map<string, CreateIntentEntry>();
  /** Orders that are not over. */
  readonly #live = new Map<string, Order>();
  readonly #positions = new Map<string, Decimal>();
  #hasMoved = false;
  /** As said last; null when it was no number. */
  readonly #targets = new Map<string, Decimal | null>();
  /** What the last one took the place of. */
  #before: { readonly key: string; readonly asked: Decimal | null | undefined } | null = null;

  constructor(violated: (law: string, what: string) => void) {
    this.#violated = violated;
  }

  row(entry: JournalEntry): void {
    if (entry.kind === 'decision') this.#decision(entry.strategy, entry.action);
    else if (entry.kind === 'denial') this.#denied(entry);
    else if (entry.kind === 'intent' && entry.command === 'create') this.#intent(entry);
    else if (entry.kind === 'intent') this.#callBack(entry.targets);
    else if (entry.kind === 'liquidation') this.#move(entry.strategy, entry.fill);
    else if (entry.kind === 'session' && entry.event === 'start') this.#start();
    else if ('intentId' in entry) this.#progress(entry.intentId, entry);
  }

  /** After an instant: what moved a position has been answered. */
  look(us: number): void {
    if (!this.#hasMoved) return;
    this.#hasMoved = false;
    const left = new Map<string, Decimal>();
    for (const [intentId, live] of this.#live) {
      const { entry, rests, isCalledBack } = live;
      const { side, timeInForce } = entry.order;
      // Filled whole, which its report has not said yet: nothing of it reduces anything.
      if (live.left.lte(0)) continue;
      if (!entry.reduceOnly || !rests || isCalledBack || timeInForce === 'ioc') continue;
      const key = keyOf(entry);
      const held = this.#positions.get(key) ?? ZERO;
      const reducible = (left.get(`${key} ${side}`) ?? (side === 'sell' ? held : held.neg())).minus(live.left);
      if (reducible.gte(ROUNDING)) {
        left.set(`${key} ${side}`, reducible);
        live.excessUs = null;
      } else
        this.#exceeds(live, us, `${intentId} rests to reduce ${key} by ${live.left.toFixed()} of ${held.toFixed()}`);
    }
  }

  #exceeds(order: Order, us: number, what: string): void {
    this.#hasMoved = true;
    order.excessUs ??= us;
    if (us < order.excessUs + SOON_US) return;
    order.isCalledBack = true;
    this.#violated('R4', what);
  }

  #callBack(intentIds: readonly string[]): void {
    for (const intentId of intentIds) {
      const order = this.#live.get(intentId);
      if (order !== undefined) order.isCalledBack = true;
    }
  }

  #decision(strategy: string, action: unknown): void {
    if (!isRecord(action) || action['kind'] !== 'target') return;
    const { symbol, positionSide = 'both', tag = strategy, quantity } = action;
    const text = String(quantity);
    const asked = isDecimalText(text) ? dec(text) : null;
    // Nonsense, which is denied: the target of before stands (seed 93).
    if (positionSide === 'long' && asked?.isNegative() === true) return;
    const key = [strategy, symbol, positionSide, tag].join(' ');
    this.#before = { key, asked: this.#targets.get(key) };
    this.#targets.set(key, positionSide === 'short' && asked !== null ? asked.abs().neg() : asked);
  }

  /** A target that is off the grid is none: that of before stands (seed 1071, where a tick had become coarser). */
  #denied({ strategy, action, reason, symbol = '' }: DenialEntry): void {
    const before = this.#before;
    if (action !== 'target' || (reason !== 'off_tick' && reason !== 'off_lot') || before === null) return;
    if (!before.key.startsWith(`${strategy} ${symbol} `)) return;
    if (before.asked === undefined) this.#targets.delete(before.key);
    else this.#targets.set(before.key, before.asked);
    this.#before = null;
  }

  #intent(entry: CreateIntentEntry): void {
    const { intentId, strategy, order, tag, origin } = entry;
    const live = { entry, left: dec(order.quantity), sent: false, rests: false, isCalledBack: false, excessUs: null };
    this.#intents.set(intentId, entry);
    this.#live.set(intentId, live);
    if (origin !== 'target') return;
    const { symbol, side, positionSide = 'both' } = order;
    const asked = this.#targets.get([strategy, symbol, positionSide, tag].join(' '));
    if (asked === undefined || asked === null) return;
    const key = [strategy, symbol, positionSide].join(' ');
    let reached = this.#positions.get(key) ?? ZERO;
    for (const { entry: other, left } of this.#live.values()) {
      if (other.order.side !== side || keyOf(other) !== key) continue;
      reached = side === 'buy' ? reached.plus(left) : reached.minus(left);
    }
    if (side === 'buy' ? reached.gt(asked) : reached.lt(asked))
      this.#violated(
        'T1',
        `${intentId} may carry the position of ${key} to ${reached.toFixed()}, asked were ${asked.toFixed()}`,
      );
  }

  #progress(intentId: string, entry: JournalEntry): void {
    const order = this.#live.get(intentId);
    if (entry.kind === 'fill') this.#fill(intentId, entry.fill);
    else if (order === undefined) return;
    else if (entry.kind === 'sending') order.sent = true;
    else if (entry.kind === 'closed') this.#live.delete(intentId);
    else if (entry.kind === 'order') this.#shown(order, entry.report.status);
    else if (entry.kind !== 'outcome') return;
    else if (entry.outcome.kind === 'accepted') this.#shown(order, entry.outcome.order?.status ?? 'new');
    else if (entry.outcome.kind !== 'unknown') this.#live.delete(intentId);
  }

  #fill(intentId: string, fill: VenueFill): void {
    const entry = this.#intents.get(intentId);
    if (entry === undefined) return;
    const order = this.#live.get(intentId);
    if (order !== undefined) order.left = greater(ZERO, order.left.minus(fill.quantity));
    this.#move(entry.strategy, fill, entry);
  }

  #shown(order: Order, status: string): void {
    order.rests = true;
    this.#hasMoved = true;
    if (ENDED.has(status)) this.#live.delete(order.entry.intentId);
  }

  /** What the process before had not handed over is over. */
  #start(): void {
    for (const [intentId, { sent }] of this.#live) if (!sent) this.#live.delete(intentId);
  }

  #move(strategy: string, fill: VenueFill, entry?: CreateIntentEntry): void {
    this.#hasMoved = true;
    const positionSide = fill.positionSide ?? entry?.order.positionSide ?? 'both';
    const key = [strategy, fill.symbol, positionSide].join(' ');
    this.#positions.set(key, (this.#positions.get(key) ?? ZERO).plus(signedOf(fill)));
  }
}

function keyOf({ strategy, order }: CreateIntentEntry): string {
  return [strategy, order.symbol, order.positionSide ?? 'both'].join(' ');
}
