/** A human's answer to `ambiguous_match`. Accepted only for an order in doubt now. */
import { clientOrderIdOf } from '../spine/intent-id.ts';
import { journalErrors } from '../journal/errors.ts';
import { reconcilerErrors } from './errors.ts';
import type { OrderReport } from '../model/trading/order.ts';
import type { Finding } from './finding.ts';
import type { ReconcilerPort } from './port.ts';

export interface Ownership {
  readonly orderId: string;
  /** Null: external. */
  readonly intentId: string | null;
}

type Doubt = Extract<Finding, { kind: 'ambiguous' }>;

/** All or nothing. Throws `order_not_in_doubt`, or `journal_failed` when an answer cannot be journalled. */
export function takeOwnership(
  port: ReconcilerPort,
  findings: readonly Finding[],
  said: readonly Ownership[],
  reason: string,
): void {
  const doubts = findings.filter((finding) => finding.kind === 'ambiguous');
  const seen = new Set<string>();
  const taken = said.map(({ orderId, intentId }) => {
    for (const name of [orderId, ...(intentId === null ? [] : [intentId])]) {
      if (seen.has(name)) throw reconcilerErrors.make('order_not_in_doubt', `${name} is named twice`);
      seen.add(name);
    }
    return { intentId, report: reportOf(doubts, orderId, intentId) };
  });
  let isKept = true;
  port.turn(() => {
    isKept = taken.every(({ report, intentId }) => port.answer(intentId, report, reason));
  });
  if (!isKept) throw journalErrors.make('journal_failed', 'the answers about the orders cannot be journalled');
}

function reportOf(doubts: readonly Doubt[], orderId: string, intentId: string | null): OrderReport {
  for (const { orders, intentIds } of doubts) {
    const report = orders.find((order) => order.orderId === orderId);
    if (report !== undefined && (intentId === null || intentIds.includes(intentId))) return report;
  }
  const what = intentId === null ? orderId : `${orderId} as ${clientOrderIdOf(intentId)}`;
  const known = doubts.flatMap(({ orders, intentIds }) =>
    orders.map((order) => `${order.orderId} (${intentIds.map(clientOrderIdOf).join(', ')})`),
  );
  const which = known.length === 0 ? 'none is' : `in doubt: ${known.join('; ')}`;
  throw reconcilerErrors.make('order_not_in_doubt', `${what} is not in doubt; ${which}`);
}
