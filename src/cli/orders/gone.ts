/** What the lists say of open orders, looked at again while they may lag behind an answer. */
import type { OrderReport } from '../../model/trading/order.ts';
import type { OpenExchange } from '../operations/open-exchange.ts';

const LOOKS = 4;
const LOOK_MS = 500;

/** As of the first look that is `enough`, else of the last one. Null: no list could be read whole. */
export async function openOrders(
  { exchange, clock }: OpenExchange,
  isEnough: (rows: readonly OrderReport[]) => boolean,
): Promise<readonly OrderReport[] | null> {
  let rows: readonly OrderReport[] | null = null;
  for (let look = 1; look <= LOOKS; look++) {
    if (look > 1) await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
    const active = await exchange.orders.active();
    if (active.kind !== 'complete') continue;
    rows = active.items;
    if (isEnough(rows)) break;
  }
  return rows;
}

/** Ids of those that are open still. Null: no list could be read whole. */
export async function stillOpen(
  open: OpenExchange,
  isMeant: (row: OrderReport) => boolean,
): Promise<readonly string[] | null> {
  const rows = await openOrders(open, (all) => !all.some(isMeant));
  return rows === null ? null : rows.filter(isMeant).map(({ orderId }) => orderId);
}
