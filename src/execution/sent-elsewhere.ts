/**
 * Adopts orders that another process sent for this session (`panic --flatten`), as unknown. The sender notes each
 * before it leaves, so a report or trade always finds its note.
 */
import type { Core } from './core.ts';

/** False when a note cannot be read or taken over: then nothing may be concluded about unknown orders. */
export function takeSentElsewhere(core: Core): boolean {
  const { sentElsewhere } = core.deps;
  const sent = sentElsewhere === undefined ? [] : sentElsewhere();
  if (sent === null) return false;
  let isWhole = true;
  for (const entry of sent) {
    const instrument = core.deps.instruments.find(entry.order.symbol);
    if (core.state.orders.byIntent(entry.intentId) !== undefined) continue;
    if (instrument === undefined || !core.slots.has(entry.strategy)) {
      const { intentId, strategy, order } = entry;
      const message = `a panic's order ${intentId} in ${order.symbol} for ${strategy} cannot be taken over`;
      core.deps.logger.error({ strategy, symbol: order.symbol }, message);
      isWhole = false;
      continue;
    }
    core.putInstrument(instrument);
    const order = core.spine.takeOver(entry, instrument);
    const outcome = { kind: 'unknown', reason: 'sent by another process' } as const;
    core.spine.commitTo(order, { kind: 'outcome', intentId: entry.intentId, outcome });
    core.count(entry.strategy, 'submitted');
    const { side, quantity, symbol } = entry.order;
    core.alarm('adopted_order', `${entry.ref} was sent for ${entry.strategy} meanwhile: ${side} ${quantity} ${symbol}`);
  }
  return isWhole;
}
