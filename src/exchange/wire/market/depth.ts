/**
 * Order-book levels of `<SYMBOL>@depth` and REST (interface, "Frames"). A test holds `depthSchema` equal.
 *
 *   {"type": "snapshot" | "update", "bids": [[price, quantity]…], "asks": […]}      quantities absolute, "0" removes
 */
import { z } from 'zod';
import type { Instrument } from '../../../model/market/instrument.ts';
import { ASK, BID, type BookSide, type LevelRows } from '../../../model/market/market-event.ts';
import { decodeFailure, decoded, isRecord, type Decoded, type DecodeFailure } from '../decoded.ts';
import { amount, gridText, positiveDecimal } from '../scalars.ts';

const level = z.tuple([positiveDecimal, amount]).rest(z.unknown());

/** Shape only; the instrument checks the grid. */
export const depthSchema = z.object({
  type: z.enum(['snapshot', 'update']),
  bids: z.array(level),
  asks: z.array(level),
});

/** Larger messages are refused whole. */
export const LEVELS_MAX = 20_000;

/** They only grow. */
export class LevelScratch {
  rows: LevelRows = columns(64);

  ensure(count: number): LevelRows {
    if (this.rows.sides.length < count) this.rows = columns(Math.max(count, this.rows.sides.length * 2));
    return this.rows;
  }
}

function columns(size: number): LevelRows {
  return { sides: new Uint8Array(size), ticks: new Float64Array(size), lots: new Float64Array(size), from: 0, to: 0 };
}

function readSide(
  source: string,
  list: readonly unknown[],
  side: BookSide,
  instrument: Instrument,
  rows: LevelRows,
): DecodeFailure | null {
  const name = side === BID ? 'bids' : 'asks';
  let at = rows.to;
  for (let index = 0; index < list.length; index++) {
    const entry = list[index];
    if (!Array.isArray(entry)) return decodeFailure(source, `${name}.${index}`, 'expected [price, quantity]', entry);
    const price: unknown = entry[0];
    const quantity: unknown = entry[1];
    const ticks = instrument.ticksOf(gridText(price) ?? '');
    // NaN fails too.
    if (!(ticks > 0)) return decodeFailure(source, `${name}.${index}.0`, 'expected a price on the tick grid', price);
    const lots = instrument.lotsOf(gridText(quantity) ?? '');
    if (!(lots >= 0))
      return decodeFailure(source, `${name}.${index}.1`, 'expected a quantity on the lot grid', quantity);
    rows.sides[at] = side;
    rows.ticks[at] = ticks;
    rows.lots[at] = lots === 0 ? 0 : lots;
    at++;
  }
  rows.to = at;
  return null;
}

/** With `scratch` valid until its next use. */
export function readLevels(
  source: string,
  payload: Readonly<Record<string, unknown>>,
  instrument: Instrument,
  scratch?: LevelScratch,
): Decoded<LevelRows> {
  const { bids, asks } = payload;
  if (!Array.isArray(bids)) return decodeFailure(source, 'bids', 'expected a list', bids);
  if (!Array.isArray(asks)) return decodeFailure(source, 'asks', 'expected a list', asks);
  const count = bids.length + asks.length;
  if (count > LEVELS_MAX) return decodeFailure(source, 'bids', `more than ${LEVELS_MAX} levels`, count);
  const rows = scratch === undefined ? columns(count) : scratch.ensure(count);
  rows.from = 0;
  rows.to = 0;
  return (
    readSide(source, bids, BID, instrument, rows) ?? readSide(source, asks, ASK, instrument, rows) ?? decoded(rows)
  );
}

export interface DepthPayload {
  readonly snapshot: boolean;
  readonly levels: LevelRows;
}

export function readDepth(
  source: string,
  payload: unknown,
  instrument: Instrument,
  scratch?: LevelScratch,
): Decoded<DepthPayload> {
  if (!isRecord(payload)) return decodeFailure(source, '', 'expected an object', payload);
  const { type } = payload;
  // Guessing an absent type could clear a book or keep dead levels.
  if (type !== 'snapshot' && type !== 'update') {
    return decodeFailure(source, 'type', 'expected "snapshot" or "update"', type);
  }
  const levels = readLevels(source, payload, instrument, scratch);
  return levels.kind === 'failure' ? levels : decoded({ snapshot: type === 'snapshot', levels: levels.value });
}

function encodeSide(levels: LevelRows, side: BookSide, instrument: Instrument): [string, string][] {
  const list: [string, string][] = [];
  for (let row = levels.from; row < levels.to; row++) {
    if (levels.sides[row] !== side) continue;
    list.push([instrument.priceText(levels.ticks[row] ?? 0), instrument.quantityText(levels.lots[row] ?? 0)]);
  }
  return list;
}

export function encodeDepth(depth: DepthPayload, instrument: Instrument): Record<string, unknown> {
  return {
    type: depth.snapshot ? 'snapshot' : 'update',
    bids: encodeSide(depth.levels, BID, instrument),
    asks: encodeSide(depth.levels, ASK, instrument),
  };
}
