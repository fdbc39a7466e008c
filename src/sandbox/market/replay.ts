/**
 * A recorded market as the sandbox's market: its depth is mirrored by an agent's orders, its prints take from the book,
 * at the pace of the recording or a multiple of it. Each recorded instant is an operation of its own, so that as many
 * messages are pushed as were recorded. When the recording ends, the book stays as it was last. Users' orders interact
 * with what was recorded, but recorded traders do not react to them.
 */
import type { InstrumentSpec } from '../../model/instrument.ts';
import type { MarketEvent } from '../../model/market-event.ts';
import type { Cancel } from '../../model/ports.ts';
import { US_PER_MS } from '../../model/time.ts';
import { Desk } from './desk.ts';
import type { DrivenExchange, MarketDriver } from './driver.ts';
import { MirroredBook } from './mirrored-book.ts';

/** Events in exchange order; a tape's cursor is one. */
export interface ReplayEvents {
  /** Exchange time of the next event, µs; `Infinity` at the end. */
  readonly nextUs: number;
  next(): MarketEvent;
}

export interface ReplaySource {
  readonly instruments: readonly InstrumentSpec[];
  readonly events: ReplayEvents;
  /** Seconds of the recording a second; above 1 for a stress with a multiple of its rates. Default 1. */
  readonly speed?: number | undefined;
}

const STEP_MS = 20;
const AGENT_MONEY = '1000000000000000';

export function replayMarket({ instruments, events, speed = 1 }: ReplaySource): MarketDriver {
  let cancel: Cancel = () => {};
  return {
    start(driven) {
      const books = openBooks(driven, instruments);
      const startMs = driven.clock.now();
      const firstUs = events.nextUs;
      if (firstUs === Number.POSITIVE_INFINITY) return;
      // The first instant holds the snapshots: the sandbox opens with a book.
      driven.operate((now) => play(events, books, now));
      cancel = driven.clock.every(STEP_MS, () => {
        const begunMs = driven.clock.now();
        const untilUs = firstUs + (begunMs - startMs) * speed * US_PER_MS;
        // What a machine cannot play in time waits for the next step, so that its users are served in between.
        while (events.nextUs <= untilUs && driven.clock.now() - begunMs < STEP_MS)
          driven.operate((now) => play(events, books, now));
      });
    },
    stop() {
      cancel();
    },
  };
}

function openBooks(
  { exchange }: DrivenExchange,
  instruments: readonly InstrumentSpec[],
): ReadonlyMap<string, MirroredBook> {
  const books = new Map<string, MirroredBook>();
  for (const { symbol, base, quote } of instruments) {
    const market = exchange.markets.get(symbol);
    if (market === undefined) continue;
    const trader = exchange.addAgent(`${symbol}/replay`, { [base]: AGENT_MONEY, [quote]: AGENT_MONEY });
    books.set(symbol, new MirroredBook(new Desk(exchange, market, trader)));
  }
  return books;
}

/** All that happened at the next instant. */
function play(events: ReplayEvents, books: ReadonlyMap<string, MirroredBook>, now: number): void {
  const instantUs = events.nextUs;
  while (events.nextUs === instantUs) {
    const event = events.next();
    const book = books.get(event.instrument.symbol);
    if (book === undefined) continue;
    if (event.kind === 'depth') book.apply(event, now);
    else if (event.kind === 'trade') book.trade(event.tradeId, event.ticks, event.lots, event.takerBuys, now);
  }
}
