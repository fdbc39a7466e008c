/**
 * `jsonl`: objects `{ts, recv?, symbol, type, …}`, with the wire's field names:
 *
 *   snapshot, depth  bids, asks, and seq, or U/u (and pu)     trade  tradeId, price, quantity, side
 *   quote  bid, bidQuantity, ask, askQuantity, updateId?      candle openTime, interval?, open … volume, closed?
 *   mark   markPrice, indexPrice                              funding rate, nextFundingTime
 *
 * A candle's interval is `interval` (`"4h"`) or `intervalMs`, else that of `--interval`, else the wire's minute. Times are
 * Unix ms (fraction: µs) or ISO 8601.
 */
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { InputLayout } from '../frames/manifest.ts';
import { parseDuration, parseTime, usOf } from '../../model/time.ts';
import { idOf, isObject, type Json, textOf } from './json.ts';
import type { EmitFrame, Framer, Importer } from './importer.ts';
import type { FrameParser, ParseResult, RawLevel, RawMessage } from './raw-message.ts';

type Out = (message: RawMessage) => void;
interface Base {
  readonly symbol: string;
  readonly exchangeUs: number;
  readonly oneTime: boolean;
}

function timeUs(value: unknown): number {
  const ms = typeof value === 'number' ? value : typeof value === 'string' ? parseTime(value) : Number.NaN;
  return usOf(ms);
}

/** In ms these are January and February 1970; in seconds, this century. */
const SECONDS_FROM = Date.UTC(2000) / 1000;
const SECONDS_TO = Date.UTC(2100) / 1000;
/** Above stand microseconds and nanoseconds. */
const TO_MS = Date.UTC(2100);

function wrongTime(json: Json): string | null {
  for (const name of ['ts', 'recv', 'openTime']) {
    const ms = timeUs(json[name]) / 1000;
    const isSeconds = ms >= SECONDS_FROM && ms < SECONDS_TO;
    if (isSeconds || ms >= TO_MS) return `${name} ${String(json[name])} is no Unix time in ms`;
  }
  return null;
}

function levels(value: unknown): readonly RawLevel[] {
  return Array.isArray(value) ? value.filter((level): level is RawLevel => Array.isArray(level)) : [];
}

function depth(json: Json, base: Base, out: Out): ParseResult {
  if (!Array.isArray(json['bids']) || !Array.isArray(json['asks'])) return { failed: 'no bids and asks' };
  const byUpdate = 'u' in json;
  const lastId = idOf(byUpdate ? json['u'] : json['seq']);
  out({
    kind: 'depth',
    ...base,
    snapshot: json['type'] === 'snapshot',
    firstId: byUpdate ? idOf(json['U']) : lastId,
    lastId,
    previousId: idOf(json['pu']),
    rule: 'pu' in json ? 'pu' : byUpdate ? 'U/u' : 'seq' in json ? 'seq' : 'none',
    bids: levels(json['bids']),
    asks: levels(json['asks']),
  });
  return 'ok';
}

function trade(json: Json, base: Base, out: Out): ParseResult {
  const { side, tradeId, price, quantity } = json;
  if (side !== 'buy' && side !== 'sell') return { failed: `side ${JSON.stringify(side)} is not buy or sell` };
  out({ kind: 'trade', ...base, tradeId: textOf(tradeId), price, quantity, takerBuys: side === 'buy' });
  return 'ok';
}

function quote(json: Json, base: Base, out: Out): ParseResult {
  const { bid, bidQuantity, ask, askQuantity } = json;
  out({ kind: 'quote', ...base, updateId: idOf(json['updateId']), bid, bidQuantity, ask, askQuantity });
  return 'ok';
}

const WIRE_INTERVAL_MS = 60_000;

/** Ms; `NaN` where line and `--interval` do not agree on one. */
function intervalOf({ interval, intervalMs }: Json, askedMs: number | undefined): number {
  const given: number[] = [];
  if (interval !== undefined) given.push(parseDuration(interval));
  if (intervalMs !== undefined) given.push(Number(intervalMs));
  if (askedMs !== undefined) given.push(askedMs);
  const [first = WIRE_INTERVAL_MS] = given;
  return first > 0 && given.every((ms) => ms === first) ? first : Number.NaN;
}

function candle(json: Json, base: Base, out: Out, askedMs: number | undefined): ParseResult {
  const openTime = timeUs(json['openTime']) / 1000;
  if (!Number.isFinite(openTime)) return { failed: 'candle without openTime' };
  const intervalMs = intervalOf(json, askedMs);
  if (Number.isNaN(intervalMs)) {
    const given = { interval: json['interval'], intervalMs: json['intervalMs'], '--interval, ms': askedMs };
    return { failed: `not one interval: ${JSON.stringify(given)}` };
  }
  const closed = json['closed'] !== false;
  const { open, high, low, close, volume } = json;
  // Known at its close at the earliest.
  const exchangeUs = closed ? Math.max(usOf(openTime + intervalMs), base.exchangeUs) : base.exchangeUs;
  out({ kind: 'candle', ...base, exchangeUs, intervalMs, openTime, open, high, low, close, volume, closed });
  return 'ok';
}

function mark(json: Json, base: Base, out: Out): ParseResult {
  const markPrice = Number(json['markPrice']);
  if (!(markPrice > 0)) return { failed: 'markPrice is not a number above zero' };
  out({ kind: 'mark', ...base, markPrice, indexPrice: Number(json['indexPrice'] ?? Number.NaN) });
  return 'ok';
}

function funding(json: Json, base: Base, out: Out): ParseResult {
  const text = textOf(json['rate']);
  // JSON writes small numbers with an exponent of ten.
  if (!/^-?\d+(\.\d+)?(e[+-]?\d{1,2})?$/i.test(text)) return { failed: 'rate is not a decimal' };
  const rate = decimalText(dec(text));
  const next = json['nextFundingTime'];
  out({ kind: 'funding', ...base, rate, nextFundingTime: next === undefined ? 0 : timeUs(next) / 1000 });
  return 'ok';
}

type Read = (json: Json, base: Base, out: Out, askedMs: number | undefined) => ParseResult;

const READERS: Readonly<Record<string, Read>> = {
  snapshot: depth,
  depth,
  trade,
  quote,
  candle,
  mark,
  funding,
};

function readJson(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function parse(text: string, out: Out, askedMs: number | undefined): ParseResult {
  const json = readJson(text);
  if (json === null) return { failed: 'not a JSON object' };
  const type = textOf(json['type']);
  const read = READERS[type];
  if (read === undefined) return { ignored: `type ${type}` };
  const exchangeUs = timeUs(json['ts']);
  if (!Number.isFinite(exchangeUs)) return { failed: 'ts is not a time' };
  const oneTime = json['recv'] === undefined;
  return read(json, { symbol: textOf(json['symbol']), exchangeUs, oneTime }, out, askedMs);
}

function framer(_layout: InputLayout, emit: EmitFrame): Framer {
  return {
    line(line) {
      const json = readJson(line);
      if (json === null) return 'not a JSON object';
      const us = timeUs(json['recv'] ?? json['ts']);
      if (!Number.isFinite(us)) return 'ts is not a time';
      const wrong = wrongTime(json);
      if (wrong === null) emit(us, line);
      return wrong;
    },
    flush() {},
  };
}

export const jsonl: Importer = {
  format: 'jsonl',
  layoutOf(file, head, { intervalMs }) {
    const first = readJson(head[0] ?? '');
    if (first === null || !('type' in first) || !('ts' in first)) {
      return `expected objects {ts, symbol, type, …}, found ${JSON.stringify((head[0] ?? '').slice(0, 80))}`;
    }
    const options: Record<string, number> = intervalMs === undefined ? {} : { intervalMs };
    return { file, layout: 'lines', columns: [], options };
  },
  framer,
  parser({ options }): FrameParser {
    const askedMs = options['intervalMs'] === undefined ? undefined : Number(options['intervalMs']);
    return (text, _receiveUs, out) => parse(text, out, askedMs);
  },
};
