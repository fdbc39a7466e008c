/**
 * The wide table of CSV and Parquet: a row per level, trade, quote, candle. Times are µs, prices and quantities
 * numbers.
 */
import { decimalText } from '../../model/numbers/money.ts';
import { BID, type DepthEvent, type MarketEvent } from '../../model/market/market-event.ts';

export type Cell = number | string | null;
export type ColumnType = 'int' | 'number' | 'text';

export const COLUMNS = [
  ['exchange_us', 'int'],
  ['receive_us', 'int'],
  ['symbol', 'text'],
  ['kind', 'text'],
  ['side', 'text'],
  ['price', 'number'],
  ['quantity', 'number'],
  ['trade_id', 'text'],
  ['first_id', 'int'],
  ['last_id', 'int'],
  ['previous_id', 'int'],
  ['bid', 'number'],
  ['bid_quantity', 'number'],
  ['ask', 'number'],
  ['ask_quantity', 'number'],
  ['open_time', 'number'],
  ['interval_ms', 'int'],
  ['open', 'number'],
  ['high', 'number'],
  ['low', 'number'],
  ['close', 'number'],
  ['volume', 'number'],
  ['quote_volume', 'number'],
  ['mark_price', 'number'],
  ['index_price', 'number'],
  ['funding_rate', 'text'],
  ['next_funding_time', 'number'],
  ['text', 'text'],
] as const satisfies readonly (readonly [string, ColumnType])[];

export type ColumnName = (typeof COLUMNS)[number][0];
export type ExportRow = Partial<Record<ColumnName, Cell>>;

export function rowsOf(event: MarketEvent): readonly ExportRow[] {
  const { instrument } = event;
  const base: ExportRow = {
    exchange_us: Math.round(event.exchangeUs),
    receive_us: Math.round(event.receiveUs),
    symbol: instrument.symbol,
    kind: event.kind,
  };
  switch (event.kind) {
    case 'depth':
      return depthRows(base, event);
    case 'trade':
      return [
        {
          ...base,
          side: event.takerBuys ? 'buy' : 'sell',
          price: instrument.priceOf(event.ticks),
          quantity: instrument.quantityOf(event.lots),
          trade_id: event.tradeId,
        },
      ];
    case 'quote':
      return [
        {
          ...base,
          last_id: event.updateId,
          bid: event.bidLots === 0 ? null : instrument.priceOf(event.bidTicks),
          bid_quantity: instrument.quantityOf(event.bidLots),
          ask: event.askLots === 0 ? null : instrument.priceOf(event.askTicks),
          ask_quantity: instrument.quantityOf(event.askLots),
        },
      ];
    case 'candle': {
      const { openTime, intervalMs, open, high, low, close, volume, closed } = event;
      const text = closed ? null : 'open';
      return [{ ...base, open_time: openTime, interval_ms: intervalMs, open, high, low, close, volume, text }];
    }
    case 'ticker': {
      const { bid, ask, open, high, low, last, volume, quoteVolume } = event;
      return [{ ...base, price: last, bid, ask, open, high, low, volume, quote_volume: quoteVolume }];
    }
    case 'mark':
      return [{ ...base, mark_price: event.markPrice, index_price: finite(event.indexPrice) }];
    case 'funding':
      return [{ ...base, funding_rate: event.rate, next_funding_time: event.nextFundingTime }];
    case 'gap':
      return [{ ...base, text: `${event.open ? 'begins' : 'ends'}: ${event.reason}` }];
  }
}

function depthRows(base: ExportRow, event: DepthEvent): readonly ExportRow[] {
  const { levels, instrument } = event;
  const rows: ExportRow[] = [];
  for (let row = levels.from; row < levels.to; row++) {
    rows.push({
      ...base,
      kind: event.snapshot ? 'snapshot' : 'depth',
      side: levels.sides[row] === BID ? 'bid' : 'ask',
      price: instrument.priceOf(levels.ticks[row]!),
      quantity: instrument.quantityOf(levels.lots[row]!),
      first_id: event.firstId,
      last_id: event.lastId,
      previous_id: event.previousId,
    });
  }
  return rows;
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Quoted only where needed. */
export function cellText(cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') {
    const text = String(cell);
    return text.includes('e') ? decimalText(cell) : text;
  }
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
