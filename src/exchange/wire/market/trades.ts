/** Public trades of `<SYMBOL>@trades`; `side` is the taker's. A test holds `tradeSchema` equal. */
import { z } from 'zod';
import type { Instrument } from '../../../model/market/instrument.ts';
import { decodeFailure, decoded, isRecord, type Decoded } from '../decoded.ts';
import { gridText, id, positiveDecimal, readId, readTime, time } from '../scalars.ts';

export const tradeSchema = z.object({
  tradeId: id,
  price: positiveDecimal,
  quantity: positiveDecimal,
  side: z.enum(['buy', 'sell']),
  ts: time,
});

export interface PublicTrade {
  readonly tradeId: string;
  readonly ticks: number;
  readonly lots: number;
  readonly takerBuys: boolean;
  /** Unix ms, exchange time. */
  readonly ts: number;
}

export function readTrade(source: string, row: unknown, instrument: Instrument): Decoded<PublicTrade> {
  if (!isRecord(row)) return decodeFailure(source, '', 'expected an object', row);
  const { price, quantity, side } = row;
  const ticks = instrument.ticksOf(gridText(price) ?? '');
  // NaN fails too.
  if (!(ticks > 0)) return decodeFailure(source, 'price', 'expected a price on the tick grid', price);
  const lots = instrument.lotsOf(gridText(quantity) ?? '');
  if (!(lots > 0)) return decodeFailure(source, 'quantity', 'expected a quantity on the lot grid', quantity);
  if (side !== 'buy' && side !== 'sell') return decodeFailure(source, 'side', 'expected "buy" or "sell"', side);
  const tradeId = readId(row['tradeId']);
  if (tradeId === undefined) return decodeFailure(source, 'tradeId', 'expected an id', row['tradeId']);
  const ts = readTime(row['ts']);
  if (ts === undefined) return decodeFailure(source, 'ts', 'expected a time', row['ts']);
  return decoded({ tradeId, ticks, lots, takerBuys: side === 'buy', ts });
}

export function encodeTrade(trade: PublicTrade, instrument: Instrument): Record<string, unknown> {
  return {
    tradeId: trade.tradeId,
    price: instrument.priceText(trade.ticks),
    quantity: instrument.quantityText(trade.lots),
    side: trade.takerBuys ? 'buy' : 'sell',
    ts: trade.ts,
  };
}
