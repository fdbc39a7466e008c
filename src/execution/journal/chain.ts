/**
 * The hash chain of the journal: each row's hash covers the hash before it, its seq, its time and its canonical JSON.
 * A row that was changed, removed, added or moved breaks every hash from there on. Used by the store and by `verify`.
 */
import { hash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import type { JournalEntry } from '../../model/journal.ts';

/** Hash "before" row 1. */
export const GENESIS = '0'.repeat(64);

export function linkHash(previous: string, seq: number, ts: number, body: string): string {
  return hash('sha256', `${previous}\n${seq}\n${ts}\n${body}`, 'hex');
}

export function bodyOf(entry: JournalEntry): string {
  return canonicalJson(entry);
}

/**
 * What may stand in the journal once only, or null: an intent, its SENDING row, an own trade. The store holds this in a
 * unique index, so that a second send of one intent fails in the database, whatever the code above does.
 */
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
      // In hedge mode one strategy may hold both sides, and each has its share.
      return `${entry.id}/${entry.strategy ?? ''}${entry.positionSide === 'both' ? '' : `/${entry.positionSide}`}`;
    case 'adjustment':
      return entry.id;
    default:
      return null;
  }
}
