/** The ladder against a naive model (rule M0), on random and on extreme prices. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Instrument } from '../../../src/model/market/instrument.ts';
import { createLadder, type Ladder } from '../../../src/model/book/ladder.ts';
import { ASK, BID, type BookSide, type DepthEvent, type QuoteEvent } from '../../../src/model/market/market-event.ts';

const instrument = new Instrument({
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '9000',
  minNotional: '5',
  status: 'trading',
});

type Row = readonly [BookSide, number, number];

function depth(rows: readonly Row[], over: Partial<DepthEvent> = {}): DepthEvent {
  return {
    kind: 'depth',
    instrument,
    exchangeUs: 0,
    receiveUs: 0,
    snapshot: false,
    firstId: 0,
    lastId: 0,
    previousId: 0,
    levels: {
      sides: Uint8Array.from(rows, (row) => row[0]),
      ticks: Float64Array.from(rows, (row) => row[1]),
      lots: Float64Array.from(rows, (row) => row[2]),
      from: 0,
      to: rows.length,
    },
    ...over,
  };
}

function quote(
  bid: readonly [number, number],
  ask: readonly [number, number],
  over: Partial<QuoteEvent> = {},
): QuoteEvent {
  return {
    kind: 'quote',
    instrument,
    exchangeUs: 0,
    receiveUs: 0,
    updateId: 0,
    bidTicks: bid[0],
    bidLots: bid[1],
    askTicks: ask[0],
    askLots: ask[1],
    ...over,
  };
}

function levelsOf(ladder: Ladder, side: BookSide): [number, number][] {
  const levels: [number, number][] = [];
  ladder.walk(side, (ticks, lots) => {
    levels.push([ticks, lots]);
    return true;
  });
  return levels;
}

/** The book as two Maps, straight from the words of M0. */
class NaiveBook {
  sides: [Map<number, number>, Map<number, number>] = [new Map(), new Map()];
  depthId = 0;
  standing: QuoteEvent | null = null;

  depth(event: DepthEvent): void {
    if (event.snapshot || this.depthId === 0) this.sides = [new Map(), new Map()];
    const { sides, ticks, lots } = event.levels;
    for (let row = 0; row < sides.length; row++) {
      const side = this.sides[sides[row] === BID ? BID : ASK];
      if (lots[row] === 0) side.delete(ticks[row] ?? 0);
      else side.set(ticks[row] ?? 0, lots[row] ?? 0);
    }
    this.depthId = event.lastId;
    if (this.standing !== null && this.standing.updateId <= event.lastId) this.standing = null;
    if (this.standing !== null) this.state(this.standing);
  }

  quote(event: QuoteEvent): boolean {
    if (event.updateId <= this.depthId) return false;
    if (this.standing !== null && event.updateId < this.standing.updateId) return false;
    if (this.depthId === 0) this.sides = [new Map(), new Map()];
    this.standing = event;
    this.state(event);
    return true;
  }

  state(event: QuoteEvent): void {
    for (const ticks of this.sides[BID].keys()) {
      if (ticks > event.bidTicks || ticks >= event.askTicks) this.sides[BID].delete(ticks);
    }
    for (const ticks of this.sides[ASK].keys()) {
      if (ticks < event.askTicks || ticks <= event.bidTicks) this.sides[ASK].delete(ticks);
    }
    this.sides[BID].set(event.bidTicks, event.bidLots);
    this.sides[ASK].set(event.askTicks, event.askLots);
  }

  levels(side: BookSide): [number, number][] {
    return [...this.sides[side]].sort((a, b) => (side === BID ? b[0] - a[0] : a[0] - b[0]));
  }
}

const nearTicks = fc.integer({ min: 5_990_000, max: 6_010_000 });
const anyTicks = fc.oneof(
  { weight: 6, arbitrary: nearTicks },
  { weight: 2, arbitrary: fc.integer({ min: 100_000, max: 20_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(1, 100_000, 5_990_000, 20_000_000) },
);
const anyRow = fc.tuple(
  fc.constantFrom<BookSide>(BID, ASK),
  anyTicks,
  fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50 })),
);
const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('depth' as const),
      rows: fc.array(anyRow, { maxLength: 30 }),
      snapshot: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      step: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('quote' as const),
      bid: anyTicks,
      spread: fc.integer({ min: 1, max: 40_000 }),
      lots: fc.integer({ min: 1, max: 50 }),
      ahead: fc.integer({ min: -5, max: 15 }),
    }),
  },
  // The best prices once more, with another quantity on one side or both.
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('same' as const),
      bidLots: fc.integer({ min: 1, max: 3 }),
      askLots: fc.integer({ min: 1, max: 3 }),
      ahead: fc.integer({ min: 0, max: 15 }),
    }),
  },
);

describe('ladder', () => {
  it('equals a naive Map model under any mix of depth messages and quotes', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
        const ladder = createLadder(instrument);
        const naive = new NaiveBook();
        let id = 0;
        for (const step of steps) {
          if (step.kind === 'depth') {
            id += step.step;
            const event = depth(step.rows, { snapshot: step.snapshot, lastId: id });
            ladder.applyDepth(event);
            naive.depth(event);
          } else if (step.kind === 'same') {
            const { bidTicks, askTicks } = ladder;
            const event = quote([bidTicks, step.bidLots], [askTicks, step.askLots], { updateId: id + step.ahead + 1 });
            expect(ladder.applyQuote(event)).toBe(naive.quote(event));
          } else {
            const event = quote([step.bid, step.lots], [step.bid + step.spread, step.lots + 1], {
              updateId: Math.max(1, id + step.ahead),
            });
            expect(ladder.applyQuote(event)).toBe(naive.quote(event));
          }
          for (const side of [BID, ASK] as const) {
            const expected = naive.levels(side);
            expect(levelsOf(ladder, side)).toEqual(expected);
            const [ticks, lots] = expected[0] ?? [0, 0];
            expect(side === BID ? [ladder.bidTicks, ladder.bidLots] : [ladder.askTicks, ladder.askLots]).toEqual([
              ticks,
              lots,
            ]);
            for (const [at, quantity] of expected) expect(ladder.lotsAt(side, at)).toBe(quantity);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('M0: a best quote newer by update id removes better and crossed levels and sets its own', () => {
    const ladder = createLadder(instrument);
    ladder.applyDepth(
      depth(
        [
          [BID, 100, 5],
          [BID, 99, 6],
          [BID, 98, 7],
          [ASK, 101, 5],
          [ASK, 102, 6],
          [ASK, 104, 7],
        ],
        { snapshot: true, lastId: 10 },
      ),
    );
    expect(ladder.applyQuote(quote([102, 3], [103, 4], { updateId: 11 }))).toBe(true);
    expect(levelsOf(ladder, BID)).toEqual([
      [102, 3],
      [100, 5],
      [99, 6],
      [98, 7],
    ]);
    expect(levelsOf(ladder, ASK)).toEqual([
      [103, 4],
      [104, 7],
    ]);
    expect(ladder.applyQuote(quote([98, 1], [99, 2], { updateId: 12 }))).toBe(true);
    expect(levelsOf(ladder, BID)).toEqual([[98, 1]]);
    expect(levelsOf(ladder, ASK)).toEqual([
      [99, 2],
      [103, 4],
      [104, 7],
    ]);
  });

  it('M0: an older or equal best quote is ignored', () => {
    const ladder = createLadder(instrument);
    ladder.applyDepth(
      depth(
        [
          [BID, 100, 5],
          [ASK, 101, 5],
        ],
        { snapshot: true, lastId: 10 },
      ),
    );
    expect(ladder.applyQuote(quote([90, 1], [91, 1], { updateId: 10 }))).toBe(false);
    expect(ladder.applyQuote(quote([90, 1], [91, 1], { updateId: 9 }))).toBe(false);
    expect(ladder.bidTicks).toBe(100);
  });

  it('M0: a depth older than the merged quote is applied but the quote stands until a depth passes it', () => {
    const ladder = createLadder(instrument);
    ladder.applyDepth(
      depth(
        [
          [BID, 100, 5],
          [ASK, 101, 5],
        ],
        { snapshot: true, lastId: 10 },
      ),
    );
    ladder.applyQuote(quote([99, 2], [100, 3], { updateId: 20 }));
    ladder.applyDepth(
      depth(
        [
          [BID, 100, 8],
          [BID, 97, 4],
        ],
        { lastId: 15 },
      ),
    );
    expect(levelsOf(ladder, BID)).toEqual([
      [99, 2],
      [97, 4],
    ]);
    expect(ladder.askTicks).toBe(100);
    ladder.applyDepth(
      depth(
        [
          [BID, 100, 9],
          [ASK, 100, 0],
        ],
        { lastId: 20 },
      ),
    );
    expect(ladder.bidTicks).toBe(100);
    expect(ladder.askTicks).toBe(101);
  });

  it('M0: without ids time decides', () => {
    const ladder = createLadder(instrument);
    ladder.applyDepth(
      depth(
        [
          [BID, 100, 5],
          [ASK, 101, 5],
        ],
        { snapshot: true, exchangeUs: 1000 },
      ),
    );
    expect(ladder.applyQuote(quote([100, 1], [101, 1], { exchangeUs: 1000 }))).toBe(false);
    expect(ladder.applyQuote(quote([100, 1], [101, 1], { exchangeUs: 1001 }))).toBe(true);
    expect([ladder.bidLots, ladder.askLots, ladder.exchangeUs]).toEqual([1, 1, 1001]);
  });

  it('shows only the last quote while no depth message has been seen', () => {
    const ladder = createLadder(instrument);
    ladder.applyQuote(quote([100, 1], [101, 1], { updateId: 1 }));
    ladder.applyQuote(quote([105, 2], [106, 2], { updateId: 2 }));
    expect(levelsOf(ladder, BID)).toEqual([[105, 2]]);
    expect(levelsOf(ladder, ASK)).toEqual([[106, 2]]);
    ladder.applyQuote(quote([105, 2], [0, 0], { updateId: 3 }));
    expect([ladder.askTicks, ladder.askLots]).toEqual([0, 0]);
  });

  it('counts a version only when the best price or quantity changes', () => {
    const ladder = createLadder(instrument);
    ladder.applyDepth(
      depth(
        [
          [BID, 100, 5],
          [ASK, 101, 5],
        ],
        { snapshot: true },
      ),
    );
    const version = ladder.topVersion;
    ladder.applyDepth(depth([[BID, 99, 5]]));
    expect(ladder.topVersion).toBe(version);
    ladder.applyDepth(depth([[BID, 100, 6]]));
    expect(ladder.topVersion).toBe(version + 1);
    ladder.clear();
    expect([ladder.bidTicks, ladder.bidLots, ladder.askTicks, ladder.askLots]).toEqual([0, 0, 0, 0]);
  });

  it('follows a price that travels from 1,000 to 200,000 and back', () => {
    const ladder = createLadder(instrument);
    const path: number[] = [];
    for (let price = 100_000; price <= 20_000_000; price += 9_973) path.push(price);
    for (const ticks of [...path, ...path.toReversed()]) {
      ladder.applyDepth(
        depth([
          [BID, ladder.bidTicks, 0],
          [ASK, ladder.askTicks, 0],
          [BID, ticks, 1],
          [ASK, ticks + 1, 2],
        ]),
      );
      expect([ladder.bidTicks, ladder.bidLots, ladder.askTicks, ladder.askLots]).toEqual([ticks, 1, ticks + 1, 2]);
      expect(levelsOf(ladder, BID)).toHaveLength(1);
    }
  });
});
