/** What a session sent and filled in the period. */
import type { JournalRow } from '../../model/entries/journal.ts';
import { sentCommands, type SentCommand } from '../paper-venue/sent-commands.ts';
import type { TradeFill } from './trade-value.ts';

/** Signed canonical text. */
export interface Payment {
  readonly currency: string;
  readonly amount: string;
}

export interface SessionTrace {
  readonly commands: readonly SentCommand[];
  /** By intent id of the create. */
  readonly fills: ReadonlyMap<string, readonly TradeFill[]>;
  /** Liquidations, and fills of earlier orders. */
  readonly others: readonly TradeFill[];
  readonly funding: readonly Payment[];
}

export function sessionTrace(rows: readonly JournalRow[], fromMs: number): SessionTrace {
  const commands = sentCommands(rows).filter(({ sentMs }) => sentMs >= fromMs);
  const sent = new Set(commands.map(({ intentId }) => intentId));
  const fills = new Map<string, TradeFill[]>();
  const others: TradeFill[] = [];
  const funding: Payment[] = [];
  for (const { ts, entry } of rows) {
    if (ts < fromMs) continue;
    if (entry.kind === 'fill' && sent.has(entry.intentId)) {
      const list = fills.get(entry.intentId) ?? [];
      list.push(entry.fill);
      fills.set(entry.intentId, list);
    } else if (entry.kind === 'fill' || entry.kind === 'liquidation') others.push(entry.fill);
    else if (entry.kind === 'funding') funding.push({ currency: entry.currency, amount: entry.amount });
  }
  for (const list of fills.values()) list.sort((left, right) => left.ts - right.ts);
  return { commands, fills, others, funding };
}
