/** What `simulation.stress` injects (rule A5): the same for a seed, at the times that were given, and told. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/model/random.ts';
import type { MarketEvent } from '../../src/model/market/market-event.ts';
import { withStreamGaps } from '../../src/session/feed/stream-gaps.ts';
import { assumptionsOf } from '../../src/simulation/assumptions.ts';
import { createLatency } from '../../src/simulation/venue/latency.ts';
import { simulationOptions } from '../../src/simulation/options.ts';
import { createStress } from '../../src/simulation/stress/stress.ts';
import { stretches } from '../../src/simulation/stress/stretches.ts';
import { depth, spot, trade } from './market.ts';

function optionsOf(stress: Readonly<Record<string, unknown>>) {
  return simulationOptions.parse({ stress });
}

const START_US = 5_000_000;

describe('stretches', () => {
  it('are those of the list, start inclusive and end exclusive, overlapping ones too', () => {
    const stretch = fc.record({ atMs: fc.integer({ min: 0, max: 500 }), forMs: fc.integer({ min: 1, max: 200 }) });
    fc.assert(
      fc.property(
        fc.array(stretch, { maxLength: 8 }),
        fc.array(fc.integer({ min: 0, max: 900_000 }), { maxLength: 40 }),
        (list, times) => {
          const isWithin = stretches(list, seededRandom(1), START_US);
          for (const us of times.toSorted((left, right) => left - right)) {
            const inside = list.some(({ atMs, forMs }) => us >= atMs * 1000 && us < (atMs + forMs) * 1000);
            expect(isWithin(START_US + us)).toBe(inside);
          }
        },
      ),
    );
  });

  it('by chance are the same for a seed, however often they are asked, and take their share of the time', () => {
    const schedule = { everyMs: 300, forMs: 100 };
    const often = stretches(schedule, seededRandom(7), START_US);
    const seldom = stretches(schedule, seededRandom(7), START_US);
    let inside = 0;
    for (let ms = 0; ms < 400_000; ms++) {
      const us = START_US + ms * 1000;
      const isInside = often(us);
      if (isInside) inside += 1;
      if (ms % 97 === 0) expect(seldom(us)).toBe(isInside);
    }
    expect(inside / 400_000).toBeGreaterThan(0.2);
    expect(inside / 400_000).toBeLessThan(0.3);
  });
});

describe('stress', () => {
  it('makes latency longer within bursts alone, and changes nothing where there are none', () => {
    const { stress, latency } = optionsOf({ bursts: [{ atMs: 10, forMs: 5 }], burstFactor: 4 });
    const model = createLatency(latency, seededRandom(1));
    const slowed = createStress(stress, seededRandom(1), START_US).slowed(model);
    expect([9, 10, 14, 15].map((ms) => slowed.entryUs(START_US + ms * 1000))).toEqual([
      25_000, 100_000, 100_000, 25_000,
    ]);
    expect(createStress(optionsOf({}).stress, seededRandom(1), START_US).slowed(model)).toBe(model);
  });

  it('changes fees from their time on, in the order of their times', () => {
    const changes = [
      { atMs: 20, maker: '-0.0001', taker: '0.001' },
      { atMs: 10, maker: '0', taker: '0.002' },
    ];
    const { stress, fees } = optionsOf({ fees: changes });
    const rates = createStress(stress, seededRandom(1), START_US).fees(fees);
    const takers = [0, 10, 19, 20, 99].map((ms) => {
      rates.advance(START_US + ms * 1000);
      return rates.taker.toFixed();
    });
    expect(takers).toEqual(['0.0005', '0.002', '0.002', '0.001', '0.001']);
    expect(rates.maker.toFixed()).toBe('-0.0001');
  });

  it('stands in the assumptions, and is null without any', () => {
    const told = assumptionsOf(
      optionsOf({ outages: [{ atMs: 1000, forMs: 500 }], gaps: { everyMs: 60_000, forMs: 2000 } }),
      {},
      false,
    );
    expect(told.stress).toBe('outages at 1–1.5 s; stream gaps every 60 s for 2 s on average');
    expect(assumptionsOf(optionsOf({}), {}, false).stress).toBeNull();
  });
});

describe('stream gaps', () => {
  const told = (seen: string[]) => (event: MarketEvent) => {
    if (event.kind === 'gap') seen.push(event.open ? 'lost' : 'again');
    else if (event.kind === 'depth') {
      const { levels, snapshot } = event;
      const rows = Array.from(
        { length: levels.to - levels.from },
        (_, row) => `${levels.ticks[row]}:${levels.lots[row]}`,
      );
      seen.push(`${snapshot ? 'snapshot' : 'update'} ${rows.join(' ')}`);
    } else seen.push(event.kind);
  };
  const at = (ms: number) => ({ exchangeUs: ms * 1000, receiveUs: ms * 1000 });
  const options = {
    stress: optionsOf({ gaps: [{ atMs: 10, forMs: 10 }] }).stress,
    random: seededRandom(1),
    startUs: 0,
  };

  it('are told with the first event that is missed, and end with the whole book', () => {
    const seen: string[] = [];
    const sink = withStreamGaps(told(seen), { ...options, sync: () => ({ rule: 'none', start: 'updates' }) });
    sink(depth({ 99: 5 }, { 101: 5 }, at(1)));
    sink(depth({ 98: 7 }, {}, at(12)));
    sink({ ...trade('sell', 99, 1), ...at(15) });
    sink(depth({ 99: 0 }, {}, at(21)));
    expect(seen).toEqual(['update 99:5 101:5', 'lost', 'again', 'snapshot 99:5 98:7 101:5', 'update 99:0']);
  });

  it('end with the book that ids have proved since a gap of the data, and with that gap while nothing has', () => {
    for (const [proved, end] of [
      [13, ['again', 'snapshot 99:5 98:7 101:5', 'trade']],
      [30, ['again', 'snapshot 99:5 101:5', 'lost', 'trade', 'update 98:7']],
    ] as const) {
      const seen: string[] = [];
      const sink = withStreamGaps(told(seen), { ...options, sync: () => ({ rule: 'seq', start: 'snapshot' }) });
      const gap = { kind: 'gap', instrument: spot, reason: 'silent', fromUs: 11_000, open: true } as const;
      const update = depth({ 98: 7 }, {}, { ...at(proved), lastId: 2 });
      sink(depth({ 99: 5 }, { 101: 5 }, { ...at(1), snapshot: true, lastId: 1 }));
      sink({ ...gap, ...at(12) });
      if (proved < 20) sink(update);
      sink({ ...trade('sell', 99, 1), ...at(21) });
      if (proved > 20) sink(update);
      expect(seen).toEqual(['snapshot 99:5 101:5', 'lost', ...end]);
    }
  });
});
