/**
 * What a human says of orders that could be one of unknown fate (`ambiguous_match`): this one is ours, that one is not. Taken
 * only of an order that is in doubt by a reading of now, so that a slip of the pen binds nothing.
 */
import { clientOrderIdOf } from '../order-spec.ts';
import { executionErrors } from '../errors.ts';
import type { OrderReport } from '../../model/order.ts';
import type { Finding } from './compare.ts';
import type { ReconcilerPort } from './port.ts';

export interface Ownership {
  /** The exchange's id. */
  readonly orderId: string;
  /** Null: none of ours. */
  readonly intentId: string | null;
}

type Doubt = Extract<Finding, { kind: 'ambiguous' }>;

/** Takes all of it, or nothing when any is in no doubt (`order_not_in_doubt`). Throws `journal_failed` when a word cannot be kept. */
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
      if (seen.has(name)) throw executionErrors.make('order_not_in_doubt', `${name} is named twice`);
      seen.add(name);
    }
    return { intentId, report: reportOf(doubts, orderId, intentId) };
  });
  let isKept = true;
  port.turn(() => {
    isKept = taken.every(({ report, intentId }) =>
      intentId === null ? port.disown(report.orderId, reason) : port.claim(intentId, report, reason),
    );
  });
  if (!isKept) throw executionErrors.make('journal_failed', 'what was said of the orders cannot be written');
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
  throw executionErrors.make('order_not_in_doubt', `${what} is not in doubt; ${which}`);
}
