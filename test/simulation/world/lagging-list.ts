/**
 * A list of the account as a replica shows it that lags: without what was created, ended or traded after `asOfMs`. Bodies
 * that are no such list stay as they are. Reliability O06, O38.
 */
import { isRecord } from '../../../src/exchange/wire/decoded.ts';

export function laggingList(body: string, asOfMs: number): string {
  const json: unknown = JSON.parse(body);
  if (!isRecord(json) || !Array.isArray(json['items'])) return body;
  const items: readonly unknown[] = json['items'];
  const kept = items.filter((item) => !isRecord(item) || timeOf(item) <= asOfMs);
  return kept.length === items.length ? body : JSON.stringify({ ...json, items: kept });
}

/** When the list came to show it: orders that are over when they ended, open ones when they were created. */
function timeOf(item: Readonly<Record<string, unknown>>): number {
  const { ts, status, createdAt, updatedAt } = item;
  const isOpen = status === 'new' || status === 'partially_filled';
  const at = ts ?? (isOpen ? createdAt : updatedAt);
  return typeof at === 'number' ? at : typeof at === 'string' ? Number(at) || Date.parse(at) : 0;
}
