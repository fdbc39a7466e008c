/**
 * The account as a whole, by rows of the journal (INV-R1, R4): strategies may hold against each other, so what reduces one of
 * them need not reduce the account.
 *
 *   R1  whatever is decided and does not reduce the account keeps its position within the limit, with all that works filled
 *   R5  no order is larger than the limit of one
 *
 * `laws.ts` asks it which orders may leave beside a kill and through a shut gate.
 */
import type { CreateIntentEntry, JournalEntry } from '../../../src/model/entries/journal.ts';
import { dec, type Decimal, ZERO, greater } from '../../../src/model/numbers/money.ts';
import type { OrderReport } from '../../../src/model/trading/order.ts';
import { signedOf } from './spot-positions.ts';

/** Of the account and each symbol, base units: what two strategies of the world reach together, now and then. */
export const ACCOUNT_POSITION_MAX = 0.6;
/** Of one order. */
export const ORDER_MAX = 0.25;

interface Working {
  readonly entry: CreateIntentEntry;
  left: Decimal;
  filled: Decimal;
  sent: boolean;
}

/** A fee in base leaves fractions of a lot. */
const ROUNDING = '0.00001';
const ENDED: ReadonlySet<string> = new Set(['filled', 'canceled', 'rejected', 'expired']);

export class AccountLaw {
  #violated: (law: string, what: string) => void;
  readonly #intents = new Map<string, CreateIntentEntry>();
  readonly #working = new Map<string, Working>();
  /** By symbol and side: what the account holds. */
  readonly #held = new Map<string, Decimal>();
  /** The same of each strategy. */
  readonly #own = new Map<string, Decimal>();

  constructor(violated: (law: string, what: string) => void) {
    this.#violated = violated;
  }

  /** For an older journal of these rows. */
  rewound(entries: readonly JournalEntry[]): AccountLaw {
    const law = new AccountLaw(() => {});
    for (const entry of entries) law.entry(entry);
    law.#violated = this.#violated;
    return law;
  }

  entry(entry: JournalEntry): void {
    if (entry.kind === 'session' && entry.event === 'start') this.#start();
    else if (entry.kind === 'intent' && entry.command === 'create') this.#decided(entry);
    else if (entry.kind === 'liquidation') this.#move(entry.strategy, nameOf(entry.fill), signedOf(entry.fill));
    else if (entry.kind === 'adjustment' && entry.subject === 'position')
      add(this.#held, entry.name, dec(entry.quantity));
    else if ('intentId' in entry) this.#progress(entry.intentId, entry);
  }

  /** It takes something off the account, also where all that works the same way fills before it. */
  exits(intentId: string): boolean {
    const entry = this.#intents.get(intentId);
    if (entry?.reduceOnly !== true) return false;
    return this.#reducible(entry, intentId).plus(ROUNDING).gte(entry.order.quantity);
  }

  /** All that the strategy holds of the symbol could be taken off the account. */
  couldClose(strategy: string, symbol: string): boolean {
    return ['both', 'long', 'short'].every((side) => {
      const name = nameOf({ symbol, positionSide: side });
      const own = this.#own.get(`${strategy} ${name}`) ?? ZERO;
      const sign = own.isNegative() ? -1 : 1;
      return this.#left(name, own.isNegative() ? 'buy' : 'sell', sign)
        .plus(ROUNDING)
        .gt(own.abs());
    });
  }

  #reducible({ order }: CreateIntentEntry, except: string): Decimal {
    return this.#left(nameOf(order), order.side, order.side === 'sell' ? 1 : -1, except);
  }

  /** What the account holds of that sign, less all that works against it. */
  #left(name: string, side: string, sign: 1 | -1, except?: string): Decimal {
    let left = (this.#held.get(name) ?? ZERO).times(sign);
    for (const [intentId, { entry, left: working }] of this.#working)
      if (intentId !== except && entry.order.side === side && nameOf(entry.order) === name) left = left.minus(working);
    return left;
  }

  #decided(entry: CreateIntentEntry): void {
    const { intentId, order, adoptedFrom } = entry;
    this.#intents.set(intentId, entry);
    this.#working.set(intentId, { entry, left: dec(order.quantity), filled: ZERO, sent: false });
    // One that was taken over was decided by rows that are gone.
    if (adoptedFrom !== undefined) return;
    if (dec(order.quantity).gt(ORDER_MAX)) this.#violated('R5', `${intentId} is an order of ${order.quantity}`);
    if (this.exits(intentId)) return;
    const worst = this.#reducible(entry, '').neg();
    if (worst.minus(ROUNDING).gt(ACCOUNT_POSITION_MAX))
      this.#violated('R1', `by ${intentId} the account can come to ${worst.toFixed()} of ${nameOf(order)}`);
  }

  #progress(intentId: string, entry: JournalEntry): void {
    const working = this.#working.get(intentId);
    if (entry.kind === 'fill') this.#fill(intentId, entry.fill.quantity, entry);
    else if (working === undefined) return;
    else if (entry.kind === 'sending') working.sent = true;
    else if (entry.kind === 'closed') this.#working.delete(intentId);
    else if (entry.kind === 'order') this.#reported(working, entry.report);
    else if (entry.kind === 'outcome' && entry.outcome.kind === 'accepted')
      this.#reported(working, entry.outcome.order ?? null);
    else if (entry.kind === 'outcome' && entry.outcome.kind !== 'unknown') this.#working.delete(intentId);
  }

  /** Of an order that has ended what is reported as filled and not booked yet still comes. */
  #reported(working: Working, report: OrderReport | null): void {
    if (report !== null && ENDED.has(report.status))
      working.left = greater(ZERO, dec(report.filledQuantity).minus(working.filled));
  }

  #fill(intentId: string, quantity: string, { fill }: Extract<JournalEntry, { kind: 'fill' }>): void {
    const entry = this.#intents.get(intentId);
    if (entry === undefined) return;
    const working = this.#working.get(intentId);
    if (working !== undefined) {
      working.left = greater(ZERO, working.left.minus(quantity));
      working.filled = working.filled.plus(quantity);
    }
    this.#move(entry.strategy, nameOf(entry.order), signedOf(fill));
  }

  #move(strategy: string, name: string, quantity: Decimal): void {
    add(this.#held, name, quantity);
    add(this.#own, `${strategy} ${name}`, quantity);
  }

  /** What the process before had not handed over is over. */
  #start(): void {
    for (const [intentId, { sent }] of this.#working) if (!sent) this.#working.delete(intentId);
  }
}

function add(sums: Map<string, Decimal>, key: string, quantity: Decimal): void {
  sums.set(key, (sums.get(key) ?? ZERO).plus(quantity));
}

/** As the executor calls a position. */
function nameOf({
  symbol,
  positionSide = 'both',
}: {
  readonly symbol: string;
  readonly positionSide?: string;
}): string {
  return positionSide === 'both' ? symbol : `${symbol}/${positionSide}`;
}
