/** Markets that wander, with what real data have: old and missing messages, crossed books, gaps, snapshots, late receipts. */
import fc from 'fast-check';
import type { Instrument } from '../../../src/model/market/instrument.ts';
import type { MarketEvent, SequenceRule } from '../../../src/model/market/market-event.ts';
import { depth, gap, quote, snapshot, trade } from '../../simulation/market.ts';

const lots = fc.integer({ min: 0, max: 9 });
/** Ticks from the middle; the side follows from the sign. */
const distance = fc.integer({ min: -6, max: 6 });

const move = fc.record({
  what: fc.oneof(
    { weight: 12, arbitrary: fc.constant('depth' as const) },
    { weight: 8, arbitrary: fc.constant('quote' as const) },
    { weight: 6, arbitrary: fc.constant('trade' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('snapshot', 'old', 'missing', 'crossed', 'gap', 'mark', 'funding', 'ticker' as const),
    },
  ),
  rows: fc.array(fc.tuple(distance, lots), { minLength: 1, maxLength: 6 }),
  drift: fc.integer({ min: -1, max: 1 }),
  lots: fc.integer({ min: 1, max: 9 }),
  side: fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  waitUs: fc.constantFrom(0, 0, 500, 3000, 20_000),
  lateUs: fc.constantFrom(200, 200, 200, 5000, 30_000),
});
type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;

export interface RandomMarket {
  readonly rule: SequenceRule;
  readonly moves: readonly Move[];
}

export const randomMarket: fc.Arbitrary<RandomMarket> = fc.record({
  rule: fc.constantFrom<SequenceRule>('seq', 'seq', 'none'),
  moves: fc.array(move, { minLength: 30, maxLength: 160, size: 'max' }),
});

const FUNDING = { rate: '0.0001', nextFundingTime: 0 } as const;
const TICKER = { last: 0, bid: 0, ask: 0, open: 0, high: 0, low: 0, volume: 0, quoteVolume: 0 } as const;

/** Prices around 1000 ticks. */
export function eventsOf({ moves, rule }: RandomMarket, instrument: Instrument): readonly MarketEvent[] {
  let us = 1_000_000;
  let middle = 1000;
  let id = 10;
  const book = (rows: Move['rows']): readonly [Record<number, number>, Record<number, number>] => [
    Object.fromEntries(rows.filter(([at]) => at < 0).map(([at, held]) => [middle + at, held])),
    Object.fromEntries(rows.filter(([at]) => at > 0).map(([at, held]) => [middle + at, held])),
  ];
  const whole = (): MarketEvent => {
    const rows = [-4, -3, -2, -1, 1, 2, 3, 4].map((at) => [at, 5] as [number, number]);
    return snapshot(...book(rows), { instrument, exchangeUs: us, receiveUs: us + 200, lastId: id });
  };
  const events: MarketEvent[] = [whole()];
  for (const { what, rows, drift, lots: size, side, waitUs, lateUs } of moves) {
    us += waitUs;
    middle += drift;
    const at = { instrument, exchangeUs: us, receiveUs: us + lateUs };
    if (what === 'depth' || what === 'crossed') {
      const firstId = ++id;
      const crossing: Move['rows'] = what === 'crossed' ? [[-1, 3]] : rows;
      if (what === 'crossed') middle += 4;
      events.push(depth(...book(crossing), { ...at, firstId, lastId: id, previousId: firstId - 1 }));
    } else if (what === 'old')
      events.push(depth(...book(rows), { ...at, firstId: id, lastId: id, previousId: id - 1 }));
    else if (what === 'missing') id += 2;
    else if (what === 'snapshot') events.push(whole());
    else if (what === 'quote') {
      const updateId = rule === 'none' ? 0 : id + (size > 7 ? -1 : size > 3 ? 1 : 0);
      events.push(quote([middle - 1, size], [middle + 1, size], { ...at, updateId }));
    } else if (what === 'trade') events.push(trade(side, middle + (side === 'buy' ? 1 : -1), size, at));
    else if (what === 'gap') {
      events.push(gap(true, { ...at, fromUs: us }));
      if (size > 3) events.push(whole());
    } else if (what === 'mark') events.push({ kind: 'mark', ...at, markPrice: middle, indexPrice: middle });
    else if (what === 'funding') events.push({ kind: 'funding', ...at, ...FUNDING });
    else events.push({ kind: 'ticker', ...at, ...TICKER });
  }
  return events;
}
