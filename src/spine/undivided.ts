/**
 * Liquidations that a human has to attribute, because several strategies or external trades held the position. The
 * account's total is right already. The id names the newest fill, so a further fill makes a displayed id stale.
 */
import type { VenueFill } from '../model/trading/fill.ts';
import type { DividedEntry } from '../model/entries/human-entries.ts';
import type { UndividedEntry } from '../model/entries/journal.ts';
import { liquidationKey } from './external-keys.ts';

export interface UndividedLiquidation {
  readonly id: string;
  readonly orderId: string;
  readonly symbol: string;
  readonly fills: readonly VenueFill[];
  readonly holders: UndividedEntry['holders'];
  /** External part of the position; undefined when there is none. */
  readonly others: string | undefined;
}

export class Undivided {
  private readonly open = new Map<string, UndividedLiquidation>();
  /** Symbols divided since the last start. */
  private readonly dividedNow = new Set<string>();
  /** Id of the decision → choice. */
  private readonly choices = new Map<string, string>();

  seen({ fill, holders, others }: UndividedEntry): void {
    const { orderId, symbol } = fill;
    const before = this.open.get(orderId);
    this.open.set(orderId, {
      id: liquidationKey(fill),
      orderId,
      symbol,
      fills: [...(before?.fills ?? []), fill],
      holders: before?.holders ?? holders,
      others: before?.others ?? others,
    });
  }

  divided({ id, orderId, choice }: DividedEntry): void {
    const divided = this.open.get(orderId);
    if (divided !== undefined) this.dividedNow.add(divided.symbol);
    this.open.delete(orderId);
    this.choices.set(id, choice);
  }

  get all(): readonly UndividedLiquidation[] {
    return [...this.open.values()];
  }

  of(orderId: string): UndividedLiquidation | undefined {
    return this.open.get(orderId);
  }

  /** Halted until attributed, and then until the next start. */
  shuts(symbol: string): string | undefined {
    if (this.open.size === 0 && this.dividedNow.size === 0) return undefined;
    const open = this.all.find((one) => one.symbol === symbol);
    if (open !== undefined) return `a human has to attribute the liquidation (${open.id}, \`tidewire plan\`)`;
    if (!this.dividedNow.has(symbol)) return undefined;
    return 'a human has attributed the liquidation; no new risk until the next start';
  }

  started(): void {
    this.dividedNow.clear();
  }

  chosen(id: string): string | undefined {
    return this.choices.get(id);
  }
}
