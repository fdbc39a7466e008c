/**
 * A trade that was booked as an external one and turns out to be of an own order (which another process sent, or a human claimed):
 * what was booked is taken back before the fill is booked, so that the account has it once.
 */
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
