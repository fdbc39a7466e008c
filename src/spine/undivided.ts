/**
 * Liquidations that a human has to attribute, as several strategies or others held the position. The account's sum is
 * right already. The id names the newest fill, so a further fill makes a displayed id stale.
 */
import type { VenueFill } from '../model/fill.ts';
import type { DividedEntry } from '../model/human-entries.ts';
import type { UndividedEntry } from '../model/journal.ts';
import { liquidationKey } from './external-keys.ts';

export interface UndividedLiquidation {
  readonly id: string;
  readonly orderId: string;
  readonly symbol: string;
  readonly fills: readonly VenueFill[];
  readonly holders: UndividedEntry['holders'];
  /** What others hold of it; undefined when they hold none. */
  readonly others: string | undefined;
}

interface SavedUndivided {
  readonly open: readonly UndividedLiquidation[];
  readonly dividedNow: readonly string[];
  readonly chosen: readonly (readonly [string, string])[];
}

export class Undivided {
  readonly #open = new Map<string, UndividedLiquidation>();
  /** Symbols divided since the last start. */
  readonly #dividedNow = new Set<string>();
  /** Id of the decision → choice. */
  readonly #chosen = new Map<string, string>();

  seen({ fill, holders, others }: UndividedEntry): void {
    const { orderId, symbol } = fill;
    const before = this.#open.get(orderId);
    this.#open.set(orderId, {
      id: liquidationKey(fill),
      orderId,
      symbol,
      fills: [...(before?.fills ?? []), fill],
      holders: before?.holders ?? holders,
      others: before?.others ?? others,
    });
  }

  divided({ id, orderId, choice }: DividedEntry): void {
    const divided = this.#open.get(orderId);
    if (divided !== undefined) this.#dividedNow.add(divided.symbol);
    this.#open.delete(orderId);
    this.#chosen.set(id, choice);
  }

  get all(): readonly UndividedLiquidation[] {
    return [...this.#open.values()];
  }

  of(orderId: string): UndividedLiquidation | undefined {
    return this.#open.get(orderId);
  }

  find(id: string): UndividedLiquidation | undefined {
    return this.all.find((one) => one.id === id);
  }

  /** Closed until attributed, and then until the next start. */
  shuts(symbol: string): string | undefined {
    if (this.#open.size === 0 && this.#dividedNow.size === 0) return undefined;
    const open = this.all.find((one) => one.symbol === symbol);
    if (open !== undefined)
      return `${symbol}: a human says whose it was that the exchange liquidated (${open.id}, \`tidewire plan\`)`;
    if (!this.#dividedNow.has(symbol)) return undefined;
    return `${symbol}: a human has said whose it was that the exchange liquidated; no new risk until the next start`;
  }

  started(): void {
    this.#dividedNow.clear();
  }

  saved(): SavedUndivided {
    return { open: [...this.#open.values()], dividedNow: [...this.#dividedNow], chosen: [...this.#chosen] };
  }

  load({ open, dividedNow, chosen }: SavedUndivided): void {
    for (const one of open) this.#open.set(one.orderId, { ...one, others: one.others });
    for (const symbol of dividedNow) this.#dividedNow.add(symbol);
    for (const [id, choice] of chosen) this.#chosen.set(id, choice);
  }

  chosen(id: string): string | undefined {
    return this.#chosen.get(id);
  }
}
