/**
 * `binance-collector`: lines `<local_ns> <raw frame>` (hftbacktest). Frames: `{stream, data}`, bare events, REST
 * snapshots. Spot depth has `U`/`u`, USD-M also `pu`.
 */
import { usFromNanoText } from '../../model/time.ts';
import type { InputLayout } from '../frames/manifest.ts';
import { idOf, isObject, type Json, textOf } from './json.ts';
import type { EmitFrame, Framer, Importer } from './importer.ts';
import type { FrameParser, ParseResult, RawLevel, RawMessage } from './raw-message.ts';

const INTERVALS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** T, else E, as µs. */
function timeOf(data: Json): number {
  const ms = typeof data['T'] === 'number' ? data['T'] : data['E'];
  return typeof ms === 'number' && ms > 0 ? ms * 1000 : Number.NaN;
}

function levels(value: unknown): readonly RawLevel[] | null {
  return Array.isArray(value) && value.every((level) => Array.isArray(level)) ? value : null;
}

function depth(data: Json, snapshot: boolean, out: (message: RawMessage) => void): ParseResult {
  const bids = levels(snapshot ? data['bids'] : data['b']);
  const asks = levels(snapshot ? data['asks'] : data['a']);
  if (bids === null || asks === null) return { failed: 'depth without lists of levels' };
  const lastId = idOf(snapshot ? data['lastUpdateId'] : data['u']);
  if (lastId === 0) return { failed: 'depth without an update id' };
  const previousId = idOf(data['pu']);
  const hasPrevious = 'pu' in data;
  out({
    kind: 'depth',
    symbol: textOf(data['s']),
    exchangeUs: timeOf(data),
    snapshot,
    firstId: snapshot ? lastId : idOf(data['U']),
    lastId,
    previousId,
    rule: hasPrevious ? 'pu' : 'U/u',
    bids,
    asks,
  });
  return 'ok';
}

function trade(data: Json, out: (message: RawMessage) => void): ParseResult {
  const aggregated = data['e'] === 'aggTrade';
  const tradeId = textOf(aggregated ? data['a'] : data['t']);
  if (typeof data['m'] !== 'boolean' || tradeId === '') return { failed: 'trade without id or side' };
  out({
    kind: 'trade',
    symbol: textOf(data['s']),
    exchangeUs: timeOf(data),
    tradeId,
    price: data['p'],
    quantity: data['q'],
    takerBuys: !data['m'],
    aggregated,
  });
  return 'ok';
}

function quote(data: Json, out: (message: RawMessage) => void): ParseResult {
  out({
    kind: 'quote',
    symbol: textOf(data['s']),
    exchangeUs: timeOf(data),
    updateId: idOf(data['u']),
    bid: data['b'],
    bidQuantity: data['B'],
    ask: data['a'],
    askQuantity: data['A'],
  });
  return 'ok';
}

function mark(data: Json, out: (message: RawMessage) => void): ParseResult {
  const symbol = textOf(data['s']);
  const exchangeUs = typeof data['E'] === 'number' ? data['E'] * 1000 : Number.NaN;
  const markPrice = Number(data['p']);
  if (!(markPrice > 0)) return { failed: 'mark price is not a number above zero' };
  out({ kind: 'mark', symbol, exchangeUs, markPrice, indexPrice: Number(data['i'] ?? Number.NaN) });
  const rate = textOf(data['r']);
  const next = data['T'];
  if (rate !== '') {
    out({ kind: 'funding', symbol, exchangeUs, rate, nextFundingTime: typeof next === 'number' ? next : 0 });
  }
  return 'ok';
}

function kline(data: Json, out: (message: RawMessage) => void): ParseResult {
  const k = data['k'];
  if (!isObject(k)) return { failed: 'kline without k' };
  const match = /^(\d+)([smhdw])$/.exec(textOf(k['i']));
  if (match === null || typeof k['t'] !== 'number') return { failed: 'kline without interval or start' };
  out({
    kind: 'candle',
    symbol: textOf(data['s']),
    exchangeUs: typeof data['E'] === 'number' ? data['E'] * 1000 : Number.NaN,
    intervalMs: Number(match[1]) * (INTERVALS[match[2] ?? ''] ?? 0),
    openTime: k['t'],
    open: k['o'],
    high: k['h'],
    low: k['l'],
    close: k['c'],
    volume: k['v'],
    closed: k['x'] === true,
  });
  return 'ok';
}

function parseEvent(data: Json, out: (message: RawMessage) => void): ParseResult {
  if ('lastUpdateId' in data) return depth(data, true, out);
  const event = data['e'];
  if (event === 'depthUpdate') return depth(data, false, out);
  if (event === 'trade' || event === 'aggTrade') return trade(data, out);
  if (event === 'bookTicker') return quote(data, out);
  if (event === 'markPriceUpdate') return mark(data, out);
  if (event === 'kline') return kline(data, out);
  // Spot best quotes have no event name.
  if (event === undefined && 'B' in data && 'A' in data && 'u' in data) return quote(data, out);
  return { ignored: typeof event === 'string' ? event : 'frame without event name' };
}

const parse: FrameParser = (frame, _receiveUs, out) => {
  let json: unknown;
  try {
    json = JSON.parse(frame);
  } catch {
    return { failed: 'not JSON' };
  }
  if (!isObject(json)) return { failed: 'not an object' };
  const data = json['data'];
  return parseEvent(isObject(data) ? data : json, out);
};

const LINE = /^\d{16,20} \{/;

function framer(_layout: InputLayout, emit: EmitFrame): Framer {
  return {
    line(line) {
      const space = line.indexOf(' ');
      const stamp = line.slice(0, space);
      if (space < 16 || !/^\d+$/.test(stamp)) return 'no local time in front of the frame';
      emit(usFromNanoText(stamp), line.slice(space + 1));
      return null;
    },
    flush() {},
  };
}

export const binanceCollector: Importer = {
  format: 'binance-collector',
  layoutOf(file, head) {
    const first = head[0] ?? '';
    if (!LINE.test(first)) return `expected lines "<local_ns> {frame}", found ${JSON.stringify(first.slice(0, 80))}`;
    return { file, layout: 'frames', columns: [], options: {} };
  },
  framer,
  parser: () => parse,
};
