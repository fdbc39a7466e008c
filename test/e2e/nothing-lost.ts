/**
 * What holds after every live session, however it went: the orders of the exchange and the intents of the journal are the
 * same, each once (reliability §3.1). Used by the live tests.
 */
import { expect } from 'vitest';
import type { VenueOrder } from './exchange-process.ts';
import { entriesOf, type SessionView } from './session-view.ts';

/** What the exchange shows of orders, by its own id: nothing may be there twice. */
function byId(orders: readonly VenueOrder[]): ReadonlyMap<string, VenueOrder> {
  const map = new Map(orders.map((order) => [order.orderId, order]));
  expect(map.size).toBe(orders.length);
  return map;
}

/**
 * Every order of the exchange is one intent of the journal; every intent that left is one order, was refused, was proved
 * absent, or is still said to be in doubt (a process was killed while it was on its way, and its signature is still valid).
 */
export function expectNothingLostOrDoubled({ path, openOrders }: SessionView, orders: readonly VenueOrder[]): void {
  const venue = byId(orders);
  const created = entriesOf(path, 'intent').filter((entry) => entry.command === 'create');
  const sent = new Set(entriesOf(path, 'sending').map(({ intentId }) => intentId));
  const left = created.filter(({ intentId }) => sent.has(intentId));
  const ours = new Set(left.map(({ order }) => order.clientOrderId));
  const named = orders.some(({ clientOrderId }) => clientOrderId !== undefined);
  const theirs = new Set(orders.map(({ clientOrderId }) => clientOrderId));
  if (named) expect(theirs.size).toBe(orders.length);
  if (named) for (const id of theirs) expect(ours.has(id ?? ''), `${id} is an intent of the journal`).toBe(true);
  const bound = new Set([
    ...entriesOf(path, 'order').map(({ report }) => report.orderId),
    ...entriesOf(path, 'outcome').flatMap(({ outcome }) =>
      outcome.kind === 'accepted' && outcome.order !== undefined ? [outcome.order.orderId] : [],
    ),
  ]);
  for (const orderId of venue.keys()) expect(bound.has(orderId), `${orderId} is known to the journal`).toBe(true);
  const closed = new Set(entriesOf(path, 'closed').map(({ intentId }) => intentId));
  const answers = entriesOf(path, 'outcome').filter(({ outcome }) => outcome.kind !== 'unknown');
  const answered = new Set(answers.map(({ intentId }) => intentId));
  const doubted = new Set(openOrders.filter(({ state }) => state === 'unknown').map(({ ref }) => ref));
  const reported = new Set(entriesOf(path, 'order').map(({ intentId }) => intentId));
  for (const { intentId, order, ref } of left) {
    const known = (named && theirs.has(order.clientOrderId)) || closed.has(intentId) || answered.has(intentId);
    expect(known || reported.has(intentId) || doubted.has(ref), `${intentId} is accounted for`).toBe(true);
  }
  const filled = new Map<string, number>();
  for (const { fill } of entriesOf(path, 'fill'))
    filled.set(fill.orderId, (filled.get(fill.orderId) ?? 0) + Math.round(Number(fill.quantity) * 1e5));
  for (const [orderId, order] of venue)
    expect(filled.get(orderId) ?? 0, `fills of ${orderId}`).toBe(Math.round(Number(order.filledQuantity) * 1e5));
}
