/**
 * Orders that another process has sent for strategies of this session while it runs (`panic --flatten`): taken over as intents of
 * unknown outcome, so that their reports and fills find them like those of any own order, and no strategy goes on believing in what
 * was sold. Their sender notes each order before it leaves, so whoever sees a report or a trade of one finds the note.
 */
import type { Core } from './core.ts';

/** False when they cannot be read: then nothing may be concluded of orders and trades that are not known. */
export function takeSentElsewhere(core: Core): boolean {
  const { sentElsewhere } = core.deps;
  const sent = sentElsewhere === undefined ? [] : sentElsewhere();
  if (sent === null) return false;
  for (const entry of sent) {
    const instrument = core.deps.instruments.find(entry.order.symbol);
    const isKnown = core.state.orders.byIntent(entry.intentId) !== undefined;
    if (isKnown || instrument === undefined || !core.slots.has(entry.strategy)) continue;
    core.putInstrument(instrument);
    const order = core.spine.takeOver(entry, instrument);
    // No answer comes to this process.
    const outcome = { kind: 'unknown', reason: 'sent by another process' } as const;
    core.spine.commitTo(order, { kind: 'outcome', intentId: entry.intentId, outcome });
    core.count(entry.strategy, 'submitted');
    const { side, quantity, symbol } = entry.order;
    core.alarm('adopted_order', `${entry.ref} was sent for ${entry.strategy} meanwhile: ${side} ${quantity} ${symbol}`);
  }
  return true;
}
