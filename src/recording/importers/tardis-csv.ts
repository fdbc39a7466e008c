/**
 * `tardis-csv`: `quotes`, `trades`, `incremental_book_L2`, by header. Times are µs: `timestamp` exchange,
 * `local_timestamp` receive. Source: Tardis, "CSV format details".
 */
import type { InputLayout } from '../frames/manifest.ts';
import { Columns, headerNames, splitCsv } from './csv.ts';
import type { EmitFrame, Framer, Importer } from './importer.ts';
import type { FrameParser, RawLevel } from './raw-message.ts';

const LAYOUTS: Readonly<Record<string, readonly string[]>> = {
  book: ['symbol', 'timestamp', 'local_timestamp', 'is_snapshot', 'side', 'price', 'amount'],
  quotes: ['symbol', 'timestamp', 'local_timestamp', 'bid_price', 'bid_amount', 'ask_price', 'ask_amount'],
  trades: ['symbol', 'timestamp', 'local_timestamp', 'id', 'side', 'price', 'amount'],
};

function layoutOf(file: string, head: readonly string[]): InputLayout | string {
  const columns = headerNames(head[0] ?? '');
  for (const [layout, needed] of Object.entries(LAYOUTS)) {
    if (needed.every((name) => columns.includes(name))) return { file, layout, columns, options: {} };
  }
  return `expected a header of trades, quotes or incremental_book_L2, found ${JSON.stringify((head[0] ?? '').slice(0, 80))}`;
}

function rowFramer(layout: InputLayout, emit: EmitFrame): Framer {
  const columns = new Columns(layout.columns);
  const local = columns.at('local_timestamp');
  let first = true;
  return {
    line(line) {
      if (first) {
        first = false;
        return null;
      }
      const fields = splitCsv(line);
      if (fields.length < layout.columns.length) return `${fields.length} of ${layout.columns.length} columns`;
      const receiveUs = Number(fields[local]);
      if (!Number.isSafeInteger(receiveUs) || receiveUs <= 0) return 'local_timestamp is not a time in µs';
      emit(receiveUs, line);
      return null;
    },
    flush() {},
  };
}

/** Rows of one local time and kind are one frame. */
function bookFramer(layout: InputLayout, emit: EmitFrame): Framer {
  const isSnapshot = new Columns(layout.columns).at('is_snapshot');
  let lines: string[] = [];
  let at = 0;
  let key = '';
  const flush = (): void => {
    if (lines.length > 0) emit(at, lines.join('\n'));
    lines = [];
  };
  const rows = rowFramer(layout, (receiveUs, line) => {
    const next = `${receiveUs} ${splitCsv(line)[isSnapshot]}`;
    if (next !== key) flush();
    key = next;
    at = receiveUs;
    lines.push(line);
  });
  return { line: (line) => rows.line(line), flush };
}

function number(text: string | undefined): number {
  return text === undefined || text === '' ? Number.NaN : Number(text);
}

function quoteParser(columns: Columns): FrameParser {
  const [symbol, time] = [columns.at('symbol'), columns.at('timestamp')];
  const [bid, bidQuantity] = [columns.at('bid_price'), columns.at('bid_amount')];
  const [ask, askQuantity] = [columns.at('ask_price'), columns.at('ask_amount')];
  return (text, _receiveUs, out) => {
    const row = splitCsv(text);
    out({
      kind: 'quote',
      symbol: row[symbol] ?? '',
      exchangeUs: number(row[time]),
      updateId: 0,
      bid: row[bid],
      bidQuantity: row[bidQuantity],
      ask: row[ask],
      askQuantity: row[askQuantity],
    });
    return 'ok';
  };
}

function tradeParser(columns: Columns): FrameParser {
  const [symbol, time, id] = [columns.at('symbol'), columns.at('timestamp'), columns.at('id')];
  const [side, price, amount] = [columns.at('side'), columns.at('price'), columns.at('amount')];
  return (text, _receiveUs, out) => {
    const row = splitCsv(text);
    const taker = row[side];
    if (taker !== 'buy' && taker !== 'sell') return { ignored: `trade of side ${JSON.stringify(taker)}` };
    out({
      kind: 'trade',
      symbol: row[symbol] ?? '',
      exchangeUs: number(row[time]),
      tradeId: row[id] ?? '',
      price: row[price],
      quantity: row[amount],
      takerBuys: taker === 'buy',
    });
    return 'ok';
  };
}

function bookParser(columns: Columns): FrameParser {
  const [symbol, time, isSnapshot] = [columns.at('symbol'), columns.at('timestamp'), columns.at('is_snapshot')];
  const [side, price, amount] = [columns.at('side'), columns.at('price'), columns.at('amount')];
  return (text, _receiveUs, out) => {
    const bids: RawLevel[] = [];
    const asks: RawLevel[] = [];
    let last: readonly string[] = [];
    for (const line of text.split('\n')) {
      const row = splitCsv(line);
      if (row[side] !== 'bid' && row[side] !== 'ask') return { failed: `side ${JSON.stringify(row[side])}` };
      (row[side] === 'bid' ? bids : asks).push([row[price], row[amount]]);
      last = row;
    }
    out({
      kind: 'depth',
      symbol: last[symbol] ?? '',
      exchangeUs: number(last[time]),
      snapshot: last[isSnapshot] === 'true',
      firstId: 0,
      lastId: 0,
      previousId: 0,
      rule: 'none',
      bids,
      asks,
    });
    return 'ok';
  };
}

const PARSERS: Readonly<Record<string, (columns: Columns) => FrameParser>> = {
  book: bookParser,
  quotes: quoteParser,
  trades: tradeParser,
};

export const tardisCsv: Importer = {
  format: 'tardis-csv',
  layoutOf,
  framer: (layout, emit) => (layout.layout === 'book' ? bookFramer(layout, emit) : rowFramer(layout, emit)),
  parser(layout) {
    const make = PARSERS[layout.layout];
    return make === undefined
      ? () => ({ failed: `unknown layout ${layout.layout}` })
      : make(new Columns(layout.columns));
  },
};
