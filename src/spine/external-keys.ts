/**
 * Keys of what is booked once: money without a trade, liquidations and external trades. The order of an external trade
 * stays known as external in later processes.
 */
import type { VenueFill } from '../model/trading/fill.ts';
import type { OrderReport } from '../model/trading/order.ts';

/** Causes of adjustments. Journals of older builds have the same texts. */
export const EXTERNAL_TRADE = 'trade of others';
export const EXTERNAL_LIQUIDATION = 'liquidation of others';
export const OWN_LIQUIDATION = 'liquidation of ours';

const PREFIX = 'external/';
const TRADE = 'trade/';

export function cashFlowKey(id: string): string {
  return `cash-flow/${id}`;
}

export function fundingKey(id: string): string {
  return `funding/${id}`;
}

export function liquidationKey({ symbol, tradeId }: Pick<VenueFill, 'symbol' | 'tradeId'>): string {
  return `liquidation/${symbol}/${tradeId}`;
}

/** A booked trade that the list of own trades contradicts. */
export function contradictedId({ symbol, tradeId }: Pick<VenueFill, 'symbol' | 'tradeId'>): string {
  return `${TRADE}${symbol}/${tradeId}`;
}

export function isContradictedId(id: string): boolean {
  return id.startsWith(TRADE);
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

export function isOfLiquidation(cause: string): boolean {
  return cause.startsWith('liquidation');
}

export function liquidationKeyOf(tradeKey: string): string {
  const [, symbol = '', tradeId = ''] = tradeKey.split('/');
  return liquidationKey({ symbol, tradeId });
}

export function orderKeyOf(tradeKey: string): string | undefined {
  if (!tradeKey.startsWith(PREFIX)) return undefined;
  const [, symbol, , orderId] = tradeKey.split('/');
  return symbol === undefined || orderId === undefined ? undefined : externalOrderKey(symbol, orderId);
}

/**
 * True for the order that closes a position. The value of its reason is assumed
 * (`src/clearing/perpetual/liquidation.ts`). Orders that a liquidation cancelled have it too, and may be own orders.
 */
export function isLiquidation({ market, reason, status }: OrderReport): boolean {
  return market === 'derivative' && status !== 'canceled' && reason === 'liquidation';
}
