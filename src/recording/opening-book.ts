/**
 * The books as they stood at the start of a period that begins in the middle of the data: replayed from the beginning by
 * the sequence rule, then handed over as one snapshot per symbol. Without them a period would start with books made of
 * the updates that happen to follow. A symbol whose book was broken at that time gets none.
 */
import { BookSync } from '../model/book-sync.ts';
import type { Instrument } from '../model/instrument.ts';
import { Ladder } from '../model/ladder.ts';
import { ASK, BID, type DepthEvent, type LevelRows } from '../model/market-event.ts';
import { FileCursor } from './cursors.ts';
import type { TapeFile } from './tape-file.ts';

/** Snapshots at `fromUs`, one for each symbol with a usable book. */
export function openingBooks(
  file: TapeFile,
  instruments: readonly Instrument[],
  fromUs: number,
): readonly DepthEvent[] {
  const { manifest, withSnapshot, baseLatencyUs } = file.footer;
  const syncs = new Map<Instrument, BookSync>();
  for (const instrument of instruments) {
    const rule = manifest.rules[instrument.symbol] ?? 'none';
    const start = withSnapshot.includes(instrument.symbol) ? 'snapshot' : 'updates';
    syncs.set(instrument, new BookSync(new Ladder(instrument), { rule, start }));
  }
  const cursor = new FileCursor(file, instruments, 'exchange', { fromUs: -Infinity, toUs: fromUs }, 0);
  while (cursor.nextUs < fromUs) {
    const event = cursor.next();
    if (event.kind === 'depth') syncs.get(event.instrument)?.onDepth(event);
    else if (event.kind === 'gap' && event.open) syncs.get(event.instrument)?.discard(event.reason);
  }
  return [...syncs.values()]
    .filter((sync) => sync.live)
    .map((sync) => bookSnapshot(sync, fromUs, fromUs + baseLatencyUs));
}

/** The whole book as one snapshot of its last id. */
export function bookSnapshot(sync: BookSync, exchangeUs: number, receiveUs: number): DepthEvent {
  const sides: number[] = [];
  const ticks: number[] = [];
  const lots: number[] = [];
  for (const side of [BID, ASK] as const) {
    sync.book.walk(side, (levelTicks, levelLots) => {
      sides.push(side);
      ticks.push(levelTicks);
      lots.push(levelLots);
      return true;
    });
  }
  const levels: LevelRows = {
    sides: Uint8Array.from(sides),
    ticks: Float64Array.from(ticks),
    lots: Float64Array.from(lots),
    from: 0,
    to: sides.length,
  };
  const { instrument } = sync.book;
  const id = sync.lastId;
  const ids = { firstId: id, lastId: id, previousId: 0 };
  return { kind: 'depth', instrument, exchangeUs, receiveUs, snapshot: true, ...ids, levels };
}
