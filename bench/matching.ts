/**
 * Depth messages through the ladder, through matching without own orders, and through matching with four own orders
 * near the touch, in ns per level row; beside a book of two Maps. A seeded random walk, 70 rows a message.
 */
import { Instrument } from '../src/model/market/instrument.ts';
import { createLadder } from '../src/model/book/ladder.ts';
import { ASK, BID, type DepthEvent } from '../src/model/market/market-event.ts';
import { seededRandom } from '../src/model/random.ts';
import { BookMatching } from '../src/simulation/matching/matching.ts';
import { createQueueModel } from '../src/simulation/matching/queue.ts';
import { simulationOptions } from '../src/simulation/options.ts';
import { workingOrder, type MatchListener } from '../src/simulation/matching/working-order.ts';
import { print, race, seconds } from './harness.ts';

const MESSAGES = 10_000;
const ROWS = 70;

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

function messages(): DepthEvent[] {
  const random = seededRandom(1);
  let mid = 6_000_000;
  return Array.from({ length: MESSAGES }, (_, index) => {
    mid += Math.round((random.next() - 0.5) * 40);
    const sides = new Uint8Array(ROWS);
    const ticks = new Float64Array(ROWS);
    const lots = new Float64Array(ROWS);
    for (let row = 0; row < ROWS; row++) {
      const distance = Math.floor(20 * Math.exp(random.next() * 6));
      sides[row] = row % 2;
      ticks[row] = row % 2 === BID ? mid - distance : mid + distance;
      lots[row] = random.next() < 0.5 ? 0 : Math.ceil(random.next() * 1e5);
    }
    const ids = { firstId: index, lastId: index, previousId: index - 1 };
    const levels = { sides, ticks, lots, from: 0, to: ROWS };
    return { kind: 'depth', instrument, exchangeUs: index * 1000, receiveUs: 0, snapshot: index === 0, ...ids, levels };
  });
}

function engine(): BookMatching {
  const ignore: MatchListener = { filled: () => {}, expired: () => {}, covers: () => true };
  const queue = createQueueModel(simulationOptions.parse({}).queue);
  const sync = { rule: 'none', start: 'updates' } as const;
  return new BookMatching(
    instrument,
    { sync, mode: 'default', exchange: 'partial-fill', queue, nettingUs: 100_000 },
    ignore,
  );
}

async function nsPerRow(feed: (event: DepthEvent) => void, events: readonly DepthEvent[]): Promise<number> {
  const took = await seconds(() => {
    for (const event of events) feed(event);
  });
  return (took * 1e9) / (events.length * ROWS);
}

export async function matchingBench(): Promise<void> {
  const events = messages();
  const results = await race([
    {
      name: 'peer: two Maps, no best price',
      run: async () => {
        const sides = [new Map<number, number>(), new Map<number, number>()] as const;
        return nsPerRow(({ levels: { sides: side, ticks, lots } }) => {
          for (let row = 0; row < ROWS; row++) {
            const book = side[row] === BID ? sides[BID] : sides[ASK];
            if (lots[row] === 0) book.delete(ticks[row]!);
            else book.set(ticks[row]!, lots[row]!);
          }
        }, events);
      },
    },
    {
      name: 'ladder',
      run: async () => {
        const ladder = createLadder(instrument);
        return nsPerRow((event) => ladder.applyDepth(event), events);
      },
    },
    {
      name: 'matching, no own order',
      run: async () => {
        const matching = engine();
        return nsPerRow((event) => matching.onMarket(event), events);
      },
    },
    {
      name: 'matching, four own orders behind the touch',
      run: async () => {
        const matching = engine();
        matching.onMarket(events[0]!);
        for (const [index, side] of ([BID, BID, ASK, ASK] as const).entries()) {
          const ticks = 6_000_000 + (side === BID ? -1 : 1) * (60_000 + index);
          matching.submit(workingOrder(`o${index}`, side, ticks, 100, true), 0);
        }
        return nsPerRow((event) => matching.onMarket(event), events);
      },
    },
  ]);
  print('Depth rows into book and matching', 'ns per level row', results);
}
