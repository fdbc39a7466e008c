/**
 * R3: what the journal holds of a perpetual when a process starts may have been closed, or liquidated, while none ran. Nothing
 * new leaves there before a list of positions has shown each side as the journal has it, or a difference in it is taken over.
 */
import type { JournalEntry } from '../../../../src/model/entries/journal.ts';
import { dec, ZERO, type Decimal } from '../../../../src/model/numbers/money.ts';
import { nameOf } from './terms.ts';

/** An answer of the list of positions, as the trace has it, whole or cut. */
const POSITIONS_TOLD = /^= 200 \[\{"symbol":"BTCUSDTPERP","positionSide"/;
const ROW = /\{"symbol":"BTCUSDTPERP","positionSide":"(both|long|short)","quantity":"([^"]+)"/g;
const TAKEN_OVER = new Set(['opening', 'while down']);

export class ConfirmedLaw {
  /** Name → what the journal says that the account holds. */
  readonly #known: ReadonlyMap<string, Decimal>;
  /** Sides that are in doubt, by name. */
  readonly #doubted = new Set<string>();
  /** By the newest list. */
  #told: ReadonlyMap<string, Decimal> = new Map();

  constructor(known: ReadonlyMap<string, Decimal>) {
    this.#known = known;
  }

  /** A row is durable, and what it moves is known. */
  entry(entry: JournalEntry): void {
    if (entry.kind === 'session' && entry.event === 'start') {
      this.#doubted.clear();
      this.#told = new Map();
      for (const [name, quantity] of this.#known) if (!quantity.isZero()) this.#doubted.add(name);
    } else if (entry.kind === 'adjustment' && TAKEN_OVER.has(entry.cause)) this.#doubted.delete(entry.name);
    this.#look();
  }

  /** A line of the trace: what the process reads. What a list does not show is not there. */
  read(line: string): void {
    if (!POSITIONS_TOLD.test(line)) return;
    const told = new Map<string, Decimal>();
    for (const [, side = '', quantity = ''] of line.matchAll(ROW))
      told.set(nameOf(side), side === 'short' ? dec(quantity).abs().neg() : dec(quantity));
    this.#told = told;
    this.#look();
  }

  /** Names of what is in doubt now. */
  get doubted(): readonly string[] {
    return [...this.#doubted];
  }

  /** An empty list cannot be told from others: nothing is held by the journal, nothing to be confirmed. */
  #look(): void {
    for (const name of this.#doubted) {
      const known = this.#known.get(name) ?? ZERO;
      if (known.isZero() || known.eq(this.#told.get(name) ?? ZERO)) this.#doubted.delete(name);
    }
  }
}
