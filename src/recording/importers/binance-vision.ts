/**
 * `binance-vision`: the public CSV archive: `trades`, `aggTrades`, `klines`, `bookTicker`, `T_DEPTH` (one update id is
 * one message). `bookDepth` holds no book and is refused.
 * Source: binance-public-data. Times are ms, since 2025 µs on spot; distinguished by length.
 */
import type { InputLayout } from '../frames/manifest.ts';
import { Columns, headerNames, splitCsv, usOfText } from './csv.ts';
import { type EmitFrame, type Framer, type Importer, type LayoutOptions, onlySymbol, symbolOf } from './importer.ts';
import type { FrameParser, RawLevel } from './raw-message.ts';

const TRADES = ['id', 'price', 'qty', 'quote_qty', 'time', 'is_buyer_maker'];
const AGG_TRADES = [
  'agg_trade_id',
  'price',
  'quantity',
  'first_trade_id',
  'last_trade_id',
  'transact_time',
  'is_buyer_maker',
];
const KLINES = ['open_time', 'open', 'high', 'low', 'close', 'volume', 'close_time'];
const BOOK_TICKER = [
  'update_id',
  'best_bid_price',
  'best_bid_qty',
  'best_ask_price',
  'best_ask_qty',
  'transaction_time',
  'event_time',
];
const DEPTH = ['symbol', 'timestamp', 'first_update_id', 'last_update_id', 'side', 'update_type', 'price', 'qty'];

const WITH_HEADER: Readonly<Record<string, readonly string[]>> = {
  depth: DEPTH,
  quotes: BOOK_TICKER.slice(0, 6),
  trades: ['id', 'price', 'qty', 'time', 'is_buyer_maker'],
  aggTrades: ['agg_trade_id', 'price', 'quantity', 'transact_time', 'is_buyer_maker'],
  candles: KLINES,
};

/** Files without header, by file name. */
const BY_NAME: readonly (readonly [RegExp, string, readonly string[]])[] = [
  [/-aggTrades-/i, 'aggTrades', AGG_TRADES],
  [/-bookTicker-/i, 'quotes', BOOK_TICKER],
  [/-trades-/i, 'trades', TRADES],
  [/-\d+(s|m|h|d|w|mo)-/, 'candles', KLINES],
];

/** Otherwise by number of columns. */
const BY_WIDTH: Readonly<Record<number, readonly [string, readonly string[]]>> = {
  6: ['trades', TRADES],
  7: ['trades', TRADES],
  8: ['aggTrades', AGG_TRADES],
  12: ['candles', KLINES],
};

function columnsOf(file: string, first: string): readonly [string, readonly string[], number] | string {
  const names = headerNames(first);
  if (names.includes('percentage')) return 'bookDepth files hold sums by percentage from mid, not a book';
  if (/[a-z]{2}/.test(names[0] ?? '') && names[0] !== 'true') {
    for (const [layout, needed] of Object.entries(WITH_HEADER)) {
      if (needed.every((name) => names.includes(name))) return [layout, names, 1];
    }
    return `unknown header ${JSON.stringify(first.slice(0, 80))}`;
  }
  if (!/^\d/.test(first)) return `expected CSV, found ${JSON.stringify(first.slice(0, 80))}`;
  const byName = BY_NAME.find(([pattern]) => pattern.test(file));
  if (byName !== undefined) return [byName[1], byName[2], 0];
  const byWidth = BY_WIDTH[names.length];
  return byWidth === undefined ? `${names.length} columns without header are not known` : [...byWidth, 0];
}

function layoutOf(file: string, head: readonly string[], options: LayoutOptions): InputLayout | string {
  const found = columnsOf(file, head[0] ?? '');
  if (typeof found === 'string') return found;
  const [layout, columns, header] = found;
  const named = /^([A-Z0-9]+)-/.exec(file)?.[1];
  const inName = named !== undefined && /[A-Z]{4}/.test(named);
  const symbol = layout === 'depth' ? '' : inName ? named : onlySymbol(file, options);
  return {
    file,
    layout,
    columns: [...columns],
    options: { symbol, header },
  };
}

function timeColumn(columns: Columns): number {
  return columns.at('transaction_time', 'transact_time', 'time', 'close_time', 'timestamp');
}

/** For depth a frame per update id. */
function framer(layout: InputLayout, emit: EmitFrame): Framer {
  const columns = new Columns(layout.columns);
  const at = timeColumn(columns);
  const keys = layout.layout === 'depth' ? [columns.at('first_update_id'), columns.at('last_update_id')] : [];
  let skip = layout.options['header'] === 1;
  let lines: string[] = [];
  let atUs = 0;
  let key = '';
  const flush = (): void => {
    if (lines.length > 0) emit(atUs, lines.join('\n'));
    lines = [];
  };
  return {
    line(line) {
      if (skip) {
        skip = false;
        return null;
      }
      const fields = splitCsv(line);
      const us = usOfText(fields[at] ?? '');
      if (!Number.isFinite(us)) return `${JSON.stringify(fields[at] ?? '')} is not a time`;
      const next = keys.map((column) => fields[column]).join(' ');
      if (keys.length === 0 || next !== key) flush();
      key = next;
      atUs = us;
      lines.push(line);
      return null;
    },
    flush,
  };
}

function tradeParser(layout: InputLayout, columns: Columns): FrameParser {
  const symbol = symbolOf(layout);
  const id = columns.at('id', 'agg_trade_id');
  const [price, quantity] = [columns.at('price'), columns.at('qty', 'quantity')];
  const [time, maker] = [timeColumn(columns), columns.at('is_buyer_maker')];
  return (text, _receiveUs, out) => {
    const row = splitCsv(text);
    const buyerIsMaker = (row[maker] ?? '').toLowerCase();
    if (buyerIsMaker !== 'true' && buyerIsMaker !== 'false') return { failed: 'is_buyer_maker is not true or false' };
    out({
      kind: 'trade',
      symbol,
      exchangeUs: usOfText(row[time] ?? ''),
      oneTime: true,
      tradeId: row[id] ?? '',
      price: row[price],
      quantity: row[quantity],
      takerBuys: buyerIsMaker === 'false',
      aggregated: layout.layout === 'aggTrades',
    });
    return 'ok';
  };
}

function quoteParser(layout: InputLayout, columns: Columns): FrameParser {
  const symbol = symbolOf(layout);
  const [id, time] = [columns.at('update_id'), timeColumn(columns)];
  const [bid, bidQuantity] = [columns.at('best_bid_price'), columns.at('best_bid_qty')];
  const [ask, askQuantity] = [columns.at('best_ask_price'), columns.at('best_ask_qty')];
  return (text, _receiveUs, out) => {
    const row = splitCsv(text);
    out({
      kind: 'quote',
      symbol,
      exchangeUs: usOfText(row[time] ?? ''),
      oneTime: true,
      updateId: Number(row[id]) || 0,
      bid: row[bid],
      bidQuantity: row[bidQuantity],
      ask: row[ask],
      askQuantity: row[askQuantity],
    });
    return 'ok';
  };
}

function candleParser(layout: InputLayout, columns: Columns): FrameParser {
  const symbol = symbolOf(layout);
  const [openTime, closeTime, open] = [columns.at('open_time'), columns.at('close_time'), columns.at('open')];
  const [high, low, close] = [columns.at('high'), columns.at('low'), columns.at('close')];
  const volume = columns.at('volume');
  return (text, _receiveUs, out) => {
    const row = splitCsv(text);
    const openUs = usOfText(row[openTime] ?? '');
    const closeUs = usOfText(row[closeTime] ?? '');
    // One unit before the next open.
    const intervalMs = Math.round((closeUs - openUs) / 1000 / 1000) * 1000;
    if (!(intervalMs > 0)) return { failed: 'open_time and close_time make no interval' };
    out({
      kind: 'candle',
      symbol,
      exchangeUs: openUs + intervalMs * 1000,
      oneTime: true,
      intervalMs,
      openTime: openUs / 1000,
      open: row[open],
      high: row[high],
      low: row[low],
      close: row[close],
      volume: row[volume],
      closed: true,
    });
    return 'ok';
  };
}

function depthParser(columns: Columns): FrameParser {
  const [symbol, time] = [columns.at('symbol'), columns.at('timestamp')];
  const [first, last, previous] = [columns.at('first_update_id'), columns.at('last_update_id'), columns.at('pu')];
  const [side, type] = [columns.at('side'), columns.at('update_type')];
  const [price, quantity] = [columns.at('price'), columns.at('qty')];
  return (text, _receiveUs, out) => {
    const bids: RawLevel[] = [];
    const asks: RawLevel[] = [];
    let row: readonly string[] = [];
    for (const line of text.split('\n')) {
      row = splitCsv(line);
      (row[side] === 'b' ? bids : asks).push([row[price], row[quantity]]);
    }
    const lastId = Number(row[last]);
    if (!Number.isSafeInteger(lastId)) return { failed: 'last_update_id is not an id' };
    const previousId = Math.max(0, Number(row[previous] ?? 0));
    out({
      kind: 'depth',
      symbol: row[symbol] ?? '',
      exchangeUs: usOfText(row[time] ?? ''),
      oneTime: true,
      snapshot: row[type] === 'snap',
      firstId: Number(row[first]),
      lastId,
      previousId,
      rule: previous >= 0 ? 'pu' : 'U/u',
      bids,
      asks,
    });
    return 'ok';
  };
}

function parser(layout: InputLayout): FrameParser {
  const columns = new Columns(layout.columns);
  if (layout.layout === 'depth') return depthParser(columns);
  if (layout.layout === 'quotes') return quoteParser(layout, columns);
  if (layout.layout === 'candles') return candleParser(layout, columns);
  return tradeParser(layout, columns);
}

export const binanceVision: Importer = { format: 'binance-vision', layoutOf, framer, parser };
