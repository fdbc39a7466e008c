/** A replay by columns is the plain replay: the same fills, answers, marks and prices at the same times, on any tape. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Instruments } from '../../../src/model/market/instrument.ts';
import { seededRandom } from '../../../src/model/random.ts';
import type { Tape } from '../../../src/recording/tape/tape.ts';
import { replayOnDemand } from '../../../src/session/feed/replay-tape.ts';
import { columnsOf, type TapeColumns } from '../../../src/session/replay/tape-columns.ts';
import { tapeSync } from '../../../src/session/replay/tape-sync.ts';
import type { VenueObserver } from '../../../src/simulation/venue/observer.ts';
import { simulationOptions } from '../../../src/simulation/options.ts';
import { SimulatedVenue } from '../../../src/simulation/venue/venue.ts';
import { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { MarketData } from '../../../src/streams/market-data.ts';
import { perpetual, perpetualSpec, spec, spot } from '../../simulation/market.ts';
import { memoryTape } from './memory-tape.ts';
import { eventsOf, randomMarket } from './random-tape.ts';

const order = fc.record({
  /** Share of the tape. */
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  what: fc.constantFrom('place', 'place', 'place', 'market', 'ioc', 'cancel', 'look', 'glance' as const),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  /** Ticks from 1000. */
  price: fc.integer({ min: -6, max: 6 }),
  lots: fc.integer({ min: 1, max: 12 }),
});
type Order = typeof order extends fc.Arbitrary<infer Value> ? Value : never;

const scenario = fc.record({
  /** When a stream is asked for, as a share of the tape; at 0 before it begins. */
  streams: fc.array(
    fc.record({
      at: fc.constantFrom(0, 0, 0.1, 0.5),
      of: fc.constantFrom('samples', 'samples', 'samples', 'rare samples', 'trades' as const),
    }),
    { maxLength: 3 },
  ),
  market: randomMarket,
  orders: fc.array(order, { maxLength: 30, size: 'max' }),
  isPerpetual: fc.boolean(),
  passes: fc.constantFrom(1, 1, 2, 3),
  leverage: fc.constantFrom(1, 20),
  exchange: fc.constantFrom('partial-fill', 'no-partial-fill' as const),
  queue: fc.constantFrom('prob', 'risk-averse', 'last' as const),
  latency: fc.constantFrom(
    { entryMs: 0, responseMs: 0 },
    { entryMs: 3, responseMs: 7 },
    { model: 'lognormal' as const, entryMs: 4, responseMs: 4 },
  ),
  nettingWindowMs: fc.constantFrom(0, 30),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer Value> ? Value : never;

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
function lived(tape: Tape, scene: Scenario, columns: TapeColumns | null): string {
  const { orders, streams, isPerpetual, leverage, exchange, queue, latency, nettingWindowMs } = scene;
  const instrument = isPerpetual ? perpetual : spot;
  const { symbol } = instrument;
  const instruments = new Instruments([isPerpetual ? perpetualSpec : spec]);
  const clock = new VirtualClock(tape.fromUs);
  const sync = tapeSync(tape);
  const observed: unknown[] = [];
  const told: unknown[] = [];
  const perpetuals = { leverage };
  const venue = new SimulatedVenue({
    clock,
    instruments,
    options: simulationOptions.parse({ exchange, queue, latency, nettingWindowMs, perpetuals }),
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
  const stream = (of: Scenario['streams'][number]['of']): void => {
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
      barOpens: null,
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

describe('a replay by columns', () => {
  it('is the plain replay, on any tape, by any orders', () => {
    let [byColumns, plain] = [0, 0];
    fc.assert(
      fc.property(scenario, (scene) => {
        const instrument = scene.isPerpetual ? perpetual : spot;
        const { passes, market } = scene;
        const tape = memoryTape(eventsOf(market, instrument), { instrument, rule: market.rule, passes });
        const columns = columnsOf(tape);
        if (columns === null) plain++;
        else byColumns++;
        expect(lived(tape, scene, columns)).toBe(lived(tape, scene, null));
      }),
      { numRuns: 300, endOnFailure: true },
    );
    expect(byColumns).toBeGreaterThan(plain);
  });
});
