/** The entries of an order that fills at once. */
import type { JournalEntry } from '../../src/model/entries/journal.ts';

export function orderOf(
  strategy: string,
  number: number,
  side: 'buy' | 'sell',
  price: string,
  ts: number,
): JournalEntry[] {
  const order = { symbol: 'BTCUSDT', market: 'spot', side, type: 'limit', timeInForce: 'gtc', price, quantity: '0.01' };
  const intentId = `b1_1-${number}`;
  const who = { strategy, ref: `${strategy}-${number}`, auto: true, tag: strategy };
  const flags = { origin: 'place', reduceOnly: false, postOnly: false };
  const known = { orderId: `v${number}`, clientOrderId: intentId, createdAt: ts, updatedAt: ts };
  const report = { ...order, ...known, status: 'filled', filledQuantity: '0.01', averagePrice: price };
  const fee = { fee: '0.01', feeCurrency: 'USDT', liquidity: 'maker' };
  const fill = { ...order, tradeId: `t${number}`, orderId: `v${number}`, price, ts, ...fee };
  return [
    { kind: 'intent', command: 'create', intentId, ...who, ...flags, order },
    { kind: 'sending', intentId },
    { kind: 'fill', intentId, fill, mid: Number(price), source: 'stream' },
    { kind: 'order', intentId, report, source: 'stream' },
  ] as unknown as JournalEntry[];
}
