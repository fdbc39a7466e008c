/** A tape of events in memory, in both orders and several passes. */
import type { Instrument } from '../../../src/model/market/instrument.ts';
import type { MarketEvent, SequenceRule } from '../../../src/model/market/market-event.ts';
import { ChainCursor, ListCursor, PASS_STRIDE, WHOLE } from '../../../src/recording/tape/cursors.ts';
import { joinedParts } from '../../../src/recording/tape/data-parts.ts';
import { IntervalOpenings } from '../../../src/recording/tape/openings.ts';
import type { DeliveryOrder, Tape, TapeCursor } from '../../../src/recording/tape/tape.ts';

const PASS_IDS = 2 ** 40;

export interface MemoryTapeOptions {
  readonly instrument: Instrument;
  readonly rule: SequenceRule;
  readonly passes: number;
}

function shifted(event: MarketEvent, us: number, ids: number): MarketEvent {
  const id = (value: number): number => (value === 0 ? 0 : value + ids);
  const at = { exchangeUs: event.exchangeUs + us, receiveUs: event.receiveUs + us };
  if (event.kind === 'quote') return { ...event, ...at, updateId: id(event.updateId) };
  if (event.kind === 'candle') return { ...event, ...at, openTime: event.openTime + us / 1000 };
  if (event.kind !== 'depth') return { ...event, ...at };
  const { firstId, lastId, previousId } = event;
  return { ...event, ...at, firstId: id(firstId), lastId: id(lastId), previousId: id(previousId) };
}

/** `events`: at least one, in the order of exchange times. */
export function memoryTape(events: readonly MarketEvent[], { instrument, rule, passes }: MemoryTapeOptions): Tape {
  const timeOf = (order: DeliveryOrder) => (event: MarketEvent) =>
    order === 'exchange' ? event.exchangeUs : event.receiveUs;
  const last = (order: DeliveryOrder): number => Math.max(...events.map(timeOf(order)));
  const passUs = last('receive') + 1_000_000;
  const count = (kind: MarketEvent['kind']): number => events.filter((event) => event.kind === kind).length * passes;
  const ordered = (order: DeliveryOrder): readonly MarketEvent[] =>
    events.toSorted((one, other) => timeOf(order)(one) - timeOf(order)(other));
  const cursor = (order: DeliveryOrder, fromPass = 0): TapeCursor => {
    const list = ordered(order);
    const pass = (number: number): ListCursor => {
      const moved = list.map((event) => shifted(event, number * passUs, number * PASS_IDS));
      return new ListCursor(moved, order, number * PASS_STRIDE);
    };
    return new ChainCursor(passes, pass, fromPass);
  };
  const withSnapshot = events.some((event) => event.kind === 'depth' && event.snapshot);
  return {
    sources: [],
    instruments: [instrument],
    rules: new Map([[instrument.symbol, rule]]),
    withSnapshot: new Set(withSnapshot ? [instrument.symbol] : []),
    fromUs: events[0]!.exchangeUs,
    toUs: last('exchange') + (passes - 1) * passUs,
    dataFromUs: () => events[0]!.exchangeUs,
    dataToUs: last('exchange'),
    receivedToUs: () => last('receive') + (passes - 1) * passUs,
    counts: {
      total: events.length * passes,
      depth: count('depth'),
      trades: count('trade'),
      quotes: count('quote'),
      candles: count('candle'),
    },
    warnings: [],
    damaged: false,
    dataHash: '',
    contentHash: '',
    parts: joinedParts([]),
    passes,
    shiftOf: (pass) => ({ us: pass * passUs, ids: pass * PASS_IDS }),
    passOf: (sequence) => Math.floor(sequence / PASS_STRIDE),
    derived: new Map(),
    cursor,
    openings: () => {
      const intervals = events.flatMap((event) => (event.kind === 'candle' ? [event.intervalMs] : []));
      const shortest = intervals.length === 0 ? 0 : Math.min(...intervals);
      return new IntervalOpenings(cursor('exchange'), shortest, new Map([[instrument.symbol, shortest]]), WHOLE);
    },
    close: () => {},
  };
}
