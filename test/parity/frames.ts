/**
 * The reference simulator's own reader of recorded Binance frames, `<local_ns> <JSON>` a line. It shares no code with
 * `src/`: rules T1 and T2 of simulation.md are written out here a second time, slowly. Prices and quantities stay exact
 * integers: units of 10^-scale, the scale being the most decimals that any value of the file shows.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** [price, quantity], units of the file's scales. */
export type Row = readonly [number, number];

interface FrameBase {
  /** Number of the line; ties of time are broken by it. */
  readonly line: number;
  /** Exchange time, µs (rule T1). */
  us: number;
  /** Receive time after repair, µs (rule T2). */
  receiveUs: number;
  /** The frame has no time of the exchange. */
  readonly isGuess: boolean;
}

export interface DepthFrame extends FrameBase {
  readonly kind: 'depth' | 'snapshot';
  readonly first: number;
  readonly last: number;
  /** `pu` of derivatives; null on spot. */
  readonly previous: number | null;
  readonly bids: readonly Row[];
  readonly asks: readonly Row[];
}

export interface QuoteFrame extends FrameBase {
  readonly kind: 'quote';
  readonly last: number;
  readonly bid: Row;
  readonly ask: Row;
}

export interface TradeFrame extends FrameBase {
  readonly kind: 'trade';
  readonly id: number;
  readonly price: number;
  readonly quantity: number;
  /** Side of the aggressor. */
  readonly side: 'buy' | 'sell';
}

export type Frame = DepthFrame | QuoteFrame | TradeFrame;

export interface Recorded {
  readonly isDerivative: boolean;
  /** Decimals of prices and of quantities. */
  readonly priceScale: number;
  readonly quantityScale: number;
  /** In the order of the venue: exchange time, then line. */
  readonly frames: readonly Frame[];
}

interface RawData {
  readonly e?: string;
  readonly E?: number;
  readonly T?: number;
  readonly U?: number;
  readonly u?: number;
  readonly pu?: number;
  readonly t?: number;
  readonly p?: string;
  readonly q?: string;
  readonly m?: boolean;
  readonly b?: string | readonly [string, string][];
  readonly a?: string | readonly [string, string][];
  readonly B?: string;
  readonly A?: string;
  readonly lastUpdateId?: number;
  readonly bids?: readonly [string, string][];
  readonly asks?: readonly [string, string][];
}

/** A line as read, before times are repaired and texts are scaled. */
interface Raw {
  readonly line: number;
  readonly localUs: number;
  readonly data: RawData;
}

export function readLines(path: string): readonly string[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').filter((line) => line !== '');
}

export function readFrames(lines: readonly string[], baseLatencyUs: number): Recorded {
  const raws = lines.map((text, line): Raw => {
    const space = text.indexOf(' ');
    const parsed = JSON.parse(text.slice(space + 1)) as RawData & { readonly data?: RawData };
    // Nanoseconds are cut as text: they exceed 2^53.
    return { line, localUs: Number(text.slice(0, space - 3)), data: parsed.data ?? parsed };
  });
  const texts = raws.map(({ data }) => textsOf(data));
  const priceScale = decimalsOf(texts.flatMap(({ prices }) => prices));
  const quantityScale = decimalsOf(texts.flatMap(({ quantities }) => quantities));
  const shift = clockShift(raws, baseLatencyUs);
  const frames = raws.map((raw) => frameOf(raw, shift, baseLatencyUs, priceScale, quantityScale));
  orderStreams(frames);
  const isDerivative = raws.some(({ data }) => data.pu !== undefined);
  return { isDerivative, priceScale, quantityScale, frames: frames.toSorted((a, b) => a.us - b.us || a.line - b.line) };
}

/** T2: when the smallest receive − exchange is below 0, everything received moves by −min + base latency. */
function clockShift(raws: readonly Raw[], baseLatencyUs: number): number {
  let least = Infinity;
  for (const { localUs, data } of raws) {
    const time = data.T ?? data.E;
    if (time !== undefined) least = Math.min(least, localUs - time * 1000);
  }
  return least < 0 ? -least + baseLatencyUs : 0;
}

function frameOf(raw: Raw, shift: number, baseLatencyUs: number, priceScale: number, quantityScale: number): Frame {
  const { line, localUs, data } = raw;
  const receiveUs = localUs + shift;
  const time = data.T ?? data.E;
  const us = time === undefined ? receiveUs - baseLatencyUs : time * 1000;
  const row = ([price, quantity]: readonly [string, string]): Row => [
    unitsOf(price, priceScale),
    unitsOf(quantity, quantityScale),
  ];
  const base = { line, us, receiveUs, isGuess: time === undefined };
  if (data.lastUpdateId !== undefined) {
    const last = data.lastUpdateId;
    const [bids, asks] = [(data.bids ?? []).map(row), (data.asks ?? []).map(row)];
    return { ...base, kind: 'snapshot', first: last, last, previous: null, bids, asks };
  }
  if (data.e === 'trade') {
    const [price, quantity] = row([data.p ?? '', data.q ?? '']);
    return { ...base, kind: 'trade', id: data.t ?? 0, price, quantity, side: data.m === true ? 'sell' : 'buy' };
  }
  if (typeof data.b === 'string' && typeof data.a === 'string') {
    const [bid, ask] = [row([data.b, data.B ?? '']), row([data.a, data.A ?? ''])];
    return { ...base, kind: 'quote', last: data.u ?? 0, bid, ask };
  }
  if (typeof data.b === 'string' || typeof data.a === 'string') throw new Error(`line ${line + 1} is no frame`);
  const [bids, asks] = [(data.b ?? []).map(row), (data.a ?? []).map(row)];
  return { ...base, kind: 'depth', first: data.U ?? 0, last: data.u ?? 0, previous: data.pu ?? null, bids, asks };
}

/** T1: never before an earlier update id of the symbol; within one stream sequence order wins over time. */
function orderStreams(frames: readonly Frame[]): void {
  const updates = frames.flatMap((frame) => (frame.kind === 'trade' ? [] : [frame]));
  // A known time outranks a guess.
  let next = Infinity;
  for (const frame of updates.toSorted((a, b) => b.last - a.last || b.line - a.line)) {
    if (frame.isGuess) frame.us = Math.min(frame.us, next);
    else next = Math.min(next, frame.us);
  }
  let latest = -Infinity;
  for (const frame of updates.toSorted((a, b) => a.last - b.last || a.line - b.line)) {
    latest = Math.max(latest, frame.us);
    frame.us = latest;
  }
  latest = -Infinity;
  for (const frame of frames) {
    if (frame.kind !== 'trade') continue;
    latest = Math.max(latest, frame.us);
    frame.us = latest;
  }
}

function textsOf(data: RawData): { readonly prices: string[]; readonly quantities: string[] } {
  const prices: string[] = [];
  const quantities: string[] = [];
  for (const side of [data.b, data.a, data.bids, data.asks]) {
    if (typeof side === 'string') prices.push(side);
    else {
      for (const [price, quantity] of side ?? []) {
        prices.push(price);
        quantities.push(quantity);
      }
    }
  }
  if (data.e === 'trade') prices.push(data.p ?? '');
  for (const text of [data.B, data.A, data.e === 'trade' ? data.q : undefined]) {
    if (text !== undefined) quantities.push(text);
  }
  return { prices, quantities };
}

function decimalsOf(texts: readonly string[]): number {
  let most = 0;
  for (const text of texts) {
    const point = text.indexOf('.');
    if (point >= 0) most = Math.max(most, text.replace(/0+$/, '').length - point - 1);
  }
  return most;
}

function unitsOf(text: string, scale: number): number {
  const [whole = '', part = ''] = text.split('.');
  return Number(whole + part.slice(0, scale).padEnd(scale, '0'));
}
