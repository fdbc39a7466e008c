/** Hash over previous hash, seq, time and canonical JSON. Any changed, removed, added or moved row breaks the chain. */
import { hash } from 'node:crypto';
import { canonicalJson } from '../model/text/canonical.ts';
import type { JournalEntry } from '../model/entries/journal.ts';

export interface StoredRow {
  readonly seq: number;
  readonly ts: number;
  readonly body: string;
  readonly hash: string;
  /** Of a row of the table; undefined in the archive, and where they were not read. */
  readonly kind?: string;
  readonly once?: string | null;
}

/** Hash before row 1. */
export const GENESIS = '0'.repeat(64);

export function linkHash(previous: string, seq: number, ts: number, body: string): string {
  return hash('sha256', `${previous}\n${seq}\n${ts}\n${body}`, 'hex');
}

/** Why `row` does not follow that hash; undefined if it does. */
export function linkProblem(row: StoredRow, previousSeq: number, previousHash: string): string | undefined {
  if (row.seq !== previousSeq + 1) return `row ${previousSeq + 1} is missing`;
  if (linkHash(previousHash, row.seq, row.ts, row.body) !== row.hash)
    return `row ${row.seq} was changed, or one before it was`;
  return undefined;
}

export function bodyOf(entry: JournalEntry): string {
  return canonicalJson(entry);
}

/** Key of an intent, its SENDING row or an own trade; else null. The unique index refuses a second send. */
export function onceKey(entry: JournalEntry): string | null {
  switch (entry.kind) {
    case 'intent':
    case 'sending':
    case 'money-intent':
    case 'money-sending':
      return entry.intentId;
    case 'fill':
      return `${entry.fill.symbol}/${entry.fill.tradeId}/${entry.fill.orderId}`;
    case 'liquidation':
      return `${entry.fill.symbol}/${entry.fill.tradeId}/${entry.strategy}`;
    case 'funding':
      // In hedge mode a strategy has a share per side.
      return `${entry.id}/${entry.strategy ?? ''}${entry.positionSide === 'both' ? '' : `/${entry.positionSide}`}`;
    case 'adjustment':
      return entry.id;
    default:
      return null;
  }
}
