/** Laws of the one equity, on the simulated venue: own trading, what was held, and nothing else make the account. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, type Decimal } from '../../src/model/numbers/money.ts';
import type { FundingEvent, MarkEvent } from '../../src/model/market/market-event.ts';
import { RunRecorder } from '../../src/session/recorder/run-recorder.ts';
import { VenueWatch } from '../../src/session/recorder/watch-venue.ts';
import { drawdownOf } from '../../src/statistics/drawdown.ts';
import { pointsOf } from '../../src/statistics/series.ts';
import { instruments, perpetual, snapshot, spot } from '../simulation/market.ts';
import { TestSession } from '../simulation/session.ts';

/** A venue that is watched as a backtest watches it. */
class Watched {
  readonly recorder = new RunRecorder(instruments, 'BBB');
  readonly watch: VenueWatch;
  readonly session: TestSession;
  readonly first = new Map<string, number>();
  readonly last = new Map<string, number>();

  constructor(options: unknown, start: Readonly<Record<string, string>>) {
    this.watch = new VenueWatch({
      recorder: this.recorder,
      fromMs: 0,
      account: () => this.session.venue.account(),
      insured: (currency) => this.session.venue.insured(currency),
    });
    this.session = new TestSession(options, { start, observer: this.watch });
    this.session.venue.start();
  }

  book(symbol: string, mid: number): void {
    const instrument = symbol === spot.symbol ? spot : perpetual;
    const us = this.session.clock.nowUs();
    this.session.market(
      snapshot({ [mid - 1]: 1e6 }, { [mid + 1]: 1e6 }, { instrument, exchangeUs: us, receiveUs: us }),
    );
    if (!this.first.has(symbol)) this.first.set(symbol, mid);
    this.last.set(symbol, mid);
  }

  perpetualEvent(event: Partial<MarkEvent> | Partial<FundingEvent>): void {
    const us = this.session.clock.nowUs();
    this.session.market({ instrument: perpetual, exchangeUs: us, receiveUs: us, ...event } as MarkEvent);
  }

  end(): void {
    this.session.pass(1000);
    this.watch.end(this.session.clock.now());
  }

  /** The account's money and open positions at the last prices. */
  worth(): Decimal {
    const { totals, positions } = this.session.venue.account();
    const base = dec(totals.get('AAA') ?? '0').times(this.last.get('AAABBB') ?? 0);
    const open = positions.map(({ quantity, cost }) => dec(quantity).times(this.mark).minus(cost));
    return open.reduce((sum, each) => sum.plus(each), dec(totals.get('BBB') ?? '0').plus(base));
  }

  get mark(): number {
    return this.last.get('mark') ?? this.last.get('AAABBBPERP') ?? 0;
  }

  /** What own fills, fees and funding made, from what the venue told. */
  made(): Decimal {
    let sum: Decimal = this.session.venue.insured('BBB');
    for (const { fill } of this.session.of('fill')) {
      const { side, quantity, price, fee, feeCurrency, market } = fill;
      const last = market === 'spot' ? this.last.get('AAABBB')! : this.mark;
      sum = sum.plus(
        dec(last)
          .minus(price)
          .times(quantity)
          .times(side === 'buy' ? 1 : -1),
      );
      sum = sum.minus(dec(fee).times(feeCurrency === 'AAA' ? last : 1));
    }
    for (const { payment } of this.session.of('funding')) sum = sum.plus(payment.amount);
    return sum;
  }
}

const price = fc.integer({ min: 20, max: 400 });
type Step =
  | { do: 'book'; symbol: string; mid: number }
  | { do: 'order'; market: 'spot' | 'derivative'; side: 'buy' | 'sell'; quantity: string; price: string | null }
  | { do: 'mark'; markPrice: number }
  | { do: 'funding'; rate: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('book' as const), symbol: fc.constantFrom('AAABBB', 'AAABBBPERP'), mid: price }),
  fc.record({
    do: fc.constant('order' as const),
    market: fc.constantFrom('spot' as const, 'derivative' as const),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    quantity: fc.integer({ min: 1, max: 60 }).map(String),
    price: fc.option(price.map(String), { nil: null }),
  }),
  fc.record({ do: fc.constant('mark' as const), markPrice: price }),
  fc.record({ do: fc.constant('funding' as const), rate: fc.constantFrom('0.01', '-0.02', '0.3') }),
);

const fees = fc.constantFrom(
  { maker: '0.0002', taker: '0.0005' },
  { maker: '-0.0001', taker: '0.00033' },
  { maker: '0', taker: '0' },
);
const starts = fc.constantFrom<Readonly<Record<string, string>>>({}, { BBB: '5000' }, { BBB: '700.5', AAA: '33' });

function play(watched: Watched, steps: readonly Step[]): void {
  const { session } = watched;
  for (const each of steps) {
    if (each.do === 'book') watched.book(each.symbol, each.mid);
    else if (each.do === 'order') {
      const symbol = each.market === 'spot' ? 'AAABBB' : 'AAABBBPERP';
      session.place({ ...each, symbol, ...(each.market === 'spot' ? {} : { positionSide: 'both' as const }) });
    } else if (each.do === 'mark') {
      watched.perpetualEvent({ kind: 'mark', markPrice: each.markPrice, indexPrice: each.markPrice });
      watched.last.set('mark', each.markPrice);
    } else watched.perpetualEvent({ kind: 'funding', rate: each.rate, nextFundingTime: 0 });
    session.pass(60);
  }
  watched.end();
}

const worlds = fc.record({ fees, start: starts, steps: fc.array(step, { minLength: 20, maxLength: 120 }) });

function watchedOf(world: { fees: object; start: Readonly<Record<string, string>> }): Watched {
  const watched = new Watched({ fees: world.fees, perpetuals: { leverage: 10 } }, world.start);
  // Both symbols have a price and some orders trade, whatever is drawn.
  watched.book('AAABBB', 100);
  watched.book('AAABBBPERP', 100);
  watched.session.pass(50);
  watched.session.place({ side: 'buy', quantity: '2' });
  watched.session.place({ side: 'sell', quantity: '3', market: 'derivative', symbol: 'AAABBBPERP' });
  watched.session.pass(60);
  return watched;
}

describe('figures of own trading', () => {
  it('and the drift of what was held make the account, to the last unit', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const watched = watchedOf(world);
        play(watched, world.steps);
        expect(watched.session.of('fill').length).toBeGreaterThan(0);
        const { netPnl, heldDrift, external, accountPnl } = watched.recorder.figures!;
        const hasDefaults = Object.keys(world.start).length === 0;
        const held = dec(hasDefaults ? 1000 : (world.start['AAA'] ?? 0));
        const quote = dec(hasDefaults ? 100_000 : (world.start['BBB'] ?? 0));
        const start = held.times(watched.first.get('AAABBB')!).plus(quote);
        expect(external.toFixed()).toBe('0');
        expect(netPnl.toFixed()).toBe(watched.made().toFixed());
        expect(heldDrift.toFixed()).toBe(watched.worth().minus(start).minus(netPnl).toFixed());
        expect(heldDrift.toFixed()).toBe(
          held.times(watched.last.get('AAABBB')! - watched.first.get('AAABBB')!).toFixed(),
        );
        expect(accountPnl.toFixed()).toBe(watched.worth().minus(start).toFixed());
        const points = pointsOf(watched.recorder.equity.series());
        expect(points[0]).toEqual([0, start.toNumber()]);
        expect(points.at(-1)![1]).toBeCloseTo(start.plus(netPnl).toNumber(), 6);
      }),
      { numRuns: 100 },
    );
  });

  it('never fall below nothing, however far the market jumps through a liquidation', () => {
    let liquidations = 0;
    fc.assert(
      fc.property(worlds, (world) => {
        const watched = watchedOf({ ...world, start: { BBB: '700.5' } });
        play(watched, world.steps);
        const reasons = watched.recorder.warnings().filter((each) => each.startsWith('liquidation'));
        liquidations += reasons.length;
        const series = watched.recorder.equity.series();
        for (const [, equity] of pointsOf(series)) expect(equity).toBeGreaterThan(-1e-6);
        expect(drawdownOf(series, 1e9).maxDrawdownPct).toBeLessThanOrEqual(100);
      }),
      { numRuns: 100 },
    );
    expect(liquidations).toBeGreaterThan(10);
  });
});
