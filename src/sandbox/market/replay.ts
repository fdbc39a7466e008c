/**
 * A recorded market: depth is mirrored by an agent, prints trade with the book. Each instant is one operation, so push
 * counts match. The final book stays; recorded traders do not react to users.
 */
import type { InstrumentSpec } from '../../model/market/instrument.ts';
import type { MarketEvent } from '../../model/market/market-event.ts';
import type { Cancel } from '../../model/ports.ts';
import { US_PER_MS } from '../../model/time.ts';
import { AgentOrders } from './agent-orders.ts';
import type { DrivenExchange, MarketDriver } from './driver.ts';
import { MirroredBook } from './mirrored-book.ts';

/** In exchange order. */
export interface ReplayEvents {
  /** Exchange time, µs; `Infinity` at the end. */
  readonly nextUs: number;
  next(): MarketEvent;
}

export interface ReplaySource {
  readonly instruments: readonly InstrumentSpec[];
  readonly events: ReplayEvents;
  /** Recorded seconds per second, default 1. */
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
      driven.operate((now) => play(events, books, now));
      cancel = driven.clock.every(STEP_MS, () => {
        const begunMs = driven.clock.now();
        const untilUs = firstUs + (begunMs - startMs) * speed * US_PER_MS;
        // Overload continues in the next step, so users are served.
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
    books.set(symbol, new MirroredBook(new AgentOrders(exchange, market, trader)));
  }
  return books;
}

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
