/**
 * Under which a liquidation is booked, and a trade of others and its order with it: an order of which a trade is booked as of
 * others is known to be none of ours, in every later comparison and process. Used by the booking of such trades and by the
 * state that is built from the journal.
 */
import type { VenueFill } from '../model/fill.ts';
import type { OrderReport } from '../model/order.ts';

const PREFIX = 'external/';

export function liquidationKey({ symbol, tradeId }: Pick<VenueFill, 'symbol' | 'tradeId'>): string {
  return `liquidation/${symbol}/${tradeId}`;
}

export function liquidationOrderKey(symbol: string, orderId: string): string {
  return `liquidation-order/${symbol}/${orderId}`;
}

/** `name`: the balance or position that the trade moved. */
export function externalTradeKey({ symbol, tradeId, orderId }: VenueFill, name: string): string {
  return `${PREFIX}${symbol}/${tradeId}/${orderId}/${name}`;
}

export function externalOrderKey(symbol: string, orderId: string): string {
  return `external-order/${symbol}/${orderId}`;
}

/** The same of a liquidation that others bear, by the key of its trade. */
export function liquidationKeyOf(tradeKey: string): string {
  const [, symbol = '', tradeId = ''] = tradeKey.split('/');
  return liquidationKey({ symbol, tradeId });
}

/** The key of the order of a trade that is booked under this; undefined for any other key. */
export function orderKeyOf(tradeKey: string): string | undefined {
  if (!tradeKey.startsWith(PREFIX)) return undefined;
  const [, symbol, , orderId] = tradeKey.split('/');
  return symbol === undefined || orderId === undefined ? undefined : externalOrderKey(symbol, orderId);
}

/**
 * The order by which the exchange closes a position. The value of its reason is assumed (`src/clearing/perpetual/liquidation.ts`). An order
 * that a liquidation cancelled bears the same reason and may be one of ours, without our id.
 */
export function isLiquidation({ market, reason, status }: OrderReport): boolean {
  return market === 'derivative' && status !== 'canceled' && reason === 'liquidation';
}
