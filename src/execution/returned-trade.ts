/** Reverses the external booking of a trade that is of an own order after all. */
import type { VenueFill } from '../model/fill.ts';
import { decimalText } from '../model/money.ts';
import { movesOf } from '../reconciler/external-moves.ts';
import { externalOrderKey, externalTradeKey } from '../spine/external-keys.ts';
import type { Core } from './core.ts';

export const RETURNED = 'own trade that was booked as external';

export function returnTrade(core: Core, fill: VenueFill): void {
  if (!core.state.isBooked(externalOrderKey(fill.symbol, fill.orderId))) return;
  const subject = fill.market === 'derivative' ? 'position' : 'balance';
  for (const [name, amount] of movesOf(fill, core.deps.instruments)) {
    const key = externalTradeKey(fill, name);
    const id = `returned/${key}`;
    if (amount.isZero() || !core.state.isBooked(key) || core.state.isBooked(id)) continue;
    const quantity = decimalText(amount.neg());
    core.spine.commit({
      kind: 'adjustment',
      id,
      subject,
      name,
      quantity,
      cause: RETURNED,
    });
  }
}
