/** A life of an account at the simulated venue over a tape: all that anybody hears of it, in order. */
import fc from 'fast-check';
import { Instruments } from '../../../src/model/market/instrument.ts';
import { seededRandom } from '../../../src/model/random.ts';
import type { Tape } from '../../../src/recording/tape/tape.ts';
import { replayOnDemand } from '../../../src/session/feed/replay-tape.ts';
import type { TapeColumns } from '../../../src/session/replay/tape-columns.ts';
import { tapeSync } from '../../../src/session/replay/tape-sync.ts';
import type { VenueObserver } from '../../../src/simulation/venue/observer.ts';
import { simulationOptions } from '../../../src/simulation/options.ts';
import { SimulatedVenue } from '../../../src/simulation/venue/venue.ts';
import { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { MarketData } from '../../../src/streams/market-data.ts';
import { perpetual, perpetualSpec, spec, spot } from '../../simulation/market.ts';

export const order = fc.record({
  /** Share of the tape. */
  at: fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000),
  what: fc.constantFrom('place', 'place', 'place', 'market', 'ioc', 'cancel', 'look', 'glance' as const),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  /** Ticks from 1000. */
  price: fc.integer({ min: -6, max: 6 }),
  lots: fc.integer({ min: 1, max: 12 }),
});
type Order = typeof order extends fc.Arbitrary<infer Value> ? Value : never;

/** What a scene may ask of a market. */
export interface Scene {
  readonly streams: readonly { readonly at: number; readonly of: 'samples' | 'rare samples' | 'trades' }[];
  readonly orders: readonly Order[];
  readonly isPerpetual: boolean;
  readonly leverage: number;
  /** Options of the simulation. */
  readonly simulation: Readonly<Record<string, unknown>>;
}

function observing(seen: unknown[]): VenueObserver {
  const note =
    (what: string) =>
    (...facts: unknown[]): void =>
      void seen.push([what, ...facts.map((fact) => (fact === spot || fact === perpetual ? '' : fact))]);
  return {
    mid: (_instrument, ...facts) => note('mid')(...facts),
    marked: (_instrument, ...facts) => note('marked')(...facts),
    filled: note('filled'),
    granted: note('granted'),
    funded: (_instrument, ...facts) => note('funded')(...facts),
    settled: note('settled'),
    liquidated: note('liquidated'),
  };
}

/** All that anybody hears of the run, in order. */
export function lived(tape: Tape, scene: Scene, columns: TapeColumns | null): string {
  const { orders, streams, isPerpetual, leverage, simulation } = scene;
  const instrument = isPerpetual ? perpetual : spot;
  const { symbol } = instrument;
  const instruments = new Instruments([isPerpetual ? perpetualSpec : spec]);
  const clock = new VirtualClock(tape.fromUs);
  const sync = tapeSync(tape);
  const observed: unknown[] = [];
  const told: unknown[] = [];
  const perpetuals = { leverage, fundingRate: '0.0005' };
  const venue = new SimulatedVenue({
    clock,
    instruments,
    options: simulationOptions.parse({ ...simulation, perpetuals }),
    random: seededRandom(7),
    start: leverage === 1 ? {} : { AAA: '500', BBB: '900' },
    sync,
    observer: observing(observed),
  });
  venue.listen((events) => void told.push([clock.nowUs(), JSON.stringify(events)]));
  venue.start();
  const market = new MarketData({
    instruments,
    clock,
    sequenceRule: (name) => sync(name).rule,
    bookStart: (name) => sync(name).start,
  });
  const act = ({ what, side, price, lots }: Order, index: number): void => {
    const intentId = `i${index}`;
    const base = { market: isPerpetual ? ('derivative' as const) : ('spot' as const), symbol };
    if (what === 'look' || what === 'glance') {
      const view = market.view(symbol);
      const { bidTicks, askTicks } = market.best(symbol) ?? {};
      told.push([clock.nowUs(), view.bid, view.mid, bidTicks, askTicks, market.mid(symbol)]);
      if (what === 'look') told.push([view.ts, view.last, view.bids(3), market.openGaps()]);
      return;
    }
    if (what === 'cancel') {
      const orderId = `sim-${1 + (lots % Math.max(1, index))}`;
      venue.send({ kind: 'cancel', intentId, lane: 'cancel', ...base, orderId }, () => 'go');
      return;
    }
    const type = what === 'market' ? ('market' as const) : ('limit' as const);
    const terms = { side, type, quantity: String(lots), price: type === 'market' ? null : String(1000 + price) };
    const timeInForce = what === 'ioc' ? ('ioc' as const) : ('gtc' as const);
    venue.send(
      { kind: 'create', intentId, lane: 'create', order: { ...base, ...terms, timeInForce, clientOrderId: intentId } },
      () => 'go',
    );
  };
  const stream = (of: Scene['streams'][number]['of']): void => {
    const every = of === 'samples' ? '2ms' : '45ms';
    if (of === 'trades') market.trades(symbol).subscribe((trade) => told.push([clock.nowUs(), trade]));
    else market.top(symbol, { every }).subscribe((top) => told.push([clock.nowUs(), top, market.mid(symbol)]));
  };
  const replay = replayOnDemand(
    tape,
    clock,
    {
      happened: (event) => venue.onMarket(event),
      replay: (replayed) => venue.replay(replayed),
      barOpens: tape.counts.candles > 0 ? (bar) => venue.onMarket(bar) : null,
    },
    market,
    () => {},
    columns,
  );
  const lengthUs = tape.toUs - tape.fromUs;
  for (const [index, each] of orders.entries())
    clock.schedule(tape.fromUs + Math.round(each.at * lengthUs), 'timer', () => act(each, index));
  for (const { at, of } of streams)
    if (at === 0) stream(of);
    else clock.schedule(tape.fromUs + Math.round(at * lengthUs), 'timer', () => stream(of));
  replay.wait();
  while (!replay.isReplayed()) clock.step();
  clock.run();
  venue.catchUp();
  return JSON.stringify(
    [told, observed, [...venue.account().totals], venue.account().positions, market.openGaps()],
    null,
    1,
  );
}
