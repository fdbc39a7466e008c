/**
 * The simulated venue charged funding of an isolated position to the account, the sandbox to the position's margin: in a
 * backtest no funding ever brought an isolated position nearer to its liquidation.
 */
import { expect, it } from 'vitest';
import type { JournalRow } from '../../src/model/entries/journal.ts';
import type { CandleEvent } from '../../src/model/market/market-event.ts';
import { US_PER_MS } from '../../src/model/time.ts';
import { symbolFacts } from '../../src/session/paper-venue/symbol-facts.ts';
import { FUNDING_RECORD, GRANT_RECORD, type SideFunding } from '../../src/session/paper-venue/venue-records.ts';
import { RebuiltVenue } from '../../src/session/paper-venue/rebuilt-venue.ts';
import { SimulatedExchange } from '../../src/simulation/venue/exchange.ts';
import { simulationOptions } from '../../src/simulation/options.ts';
import { instruments, perpetual } from '../simulation/market.ts';

const HOUR_MS = 3_600_000;

class Hours {
  readonly exchange: SimulatedExchange;

  constructor(perpetuals: object) {
    this.exchange = new SimulatedExchange({
      instruments,
      options: simulationOptions.parse({
        exchange: 'candles',
        slippageBps: 0,
        fees: { maker: 0, taker: 0 },
        perpetuals: { leverage: 20, marginType: 'isolated', liquidationFee: 0.005, ...perpetuals },
      }),
      start: { BBB: '100000' },
      sync: () => ({ rule: 'none', start: 'updates' }),
    });
    this.exchange.open();
  }

  /** Answers what the exchange tells of an hour at one price. */
  pass(hour: number) {
    const openTime = hour * HOUR_MS;
    const closeUs = (openTime + HOUR_MS) * US_PER_MS;
    const prices = { open: 10_000, high: 10_000, low: 10_000, close: 10_000 };
    const bar: CandleEvent = {
      kind: 'candle',
      instrument: perpetual,
      exchangeUs: closeUs,
      receiveUs: closeUs,
      intervalMs: HOUR_MS,
      openTime,
      ...prices,
      volume: 1000,
      closed: true,
    };
    const us = openTime * US_PER_MS;
    this.exchange.onMarket({ ...bar, kind: 'bar-open', exchangeUs: us, receiveUs: us });
    this.exchange.onMarket(bar);
    return this.exchange.takeEvents();
  }

  open(side: 'buy' | 'sell', hour: number): void {
    const us = hour * HOUR_MS * US_PER_MS;
    const terms = { market: 'derivative', symbol: perpetual.symbol, side, type: 'market', quantity: '1' } as const;
    this.exchange.create({ ...terms, timeInForce: 'ioc', price: null, clientOrderId: `c${hour}` }, us);
  }
}

it('figures/funding/an isolated position is liquidated once funding has taken its margin', () => {
  const hours = new Hours({ fundingRate: 0.01 });
  hours.pass(0);
  hours.open('buy', 1);
  const liquidated: number[] = [];
  const margins: string[] = [];
  for (let hour = 1; hour < 9 * 24; hour++) {
    for (const event of hours.pass(hour)) {
      if (event.kind === 'order' && event.order.reason === 'liquidation') liquidated.push(hour + 1);
      if (event.kind === 'positions') margins.push(event.positions[0]?.margin ?? '');
    }
  }
  // 500 at the start, 100 each eight hours: after the fifth settlement nothing is left, and 50 would be needed.
  expect(margins).toEqual(['500', '400', '300', '200', '100', '0']);
  expect(liquidated).toEqual([40]);
  expect(hours.exchange.purse.wallet.pocket('BBB').total.toNumber()).toBe(99_500);
  expect(hours.exchange.positions()).toEqual([]);
});

it('figures/funding/an isolated position that receives it has more margin', () => {
  const hours = new Hours({ fundingRate: 0.01 });
  hours.pass(0);
  hours.open('sell', 1);
  for (let hour = 1; hour < 24; hour++) hours.pass(hour);
  expect(hours.exchange.positions()).toMatchObject([{ quantity: '-1', margin: '800' }]);
  expect(hours.exchange.purse.wallet.pocket('BBB').row()).toMatchObject({
    available: '99500',
    locked: '800',
    total: '100300',
  });
});

it('figures/funding/in hedge mode each side has its own', () => {
  const hours = new Hours({ fundingRate: 0.01, mode: 'hedge' });
  hours.pass(0);
  const us = HOUR_MS * US_PER_MS;
  const terms = { market: 'derivative', symbol: perpetual.symbol, type: 'market', timeInForce: 'ioc' } as const;
  const long = { side: 'buy', positionSide: 'long', quantity: '1' } as const;
  const short = { side: 'sell', positionSide: 'short', quantity: '2' } as const;
  for (const side of [long, short])
    hours.exchange.create({ ...terms, ...side, price: null, clientOrderId: side.side }, us);
  for (let hour = 1; hour < 8; hour++) hours.pass(hour);
  expect(hours.exchange.positions()).toMatchObject([
    { positionSide: 'long', margin: '400' },
    { positionSide: 'short', margin: '1200' },
  ]);
});

it('figures/funding/the margin of an isolated position of paper is as before after a restart', () => {
  const { symbol } = perpetual;
  const fill = (ts: number, side: 'buy' | 'sell', quantity: string) => ({
    kind: 'fill',
    fill: {
      tradeId: `sim-t${ts}`,
      orderId: 'sim-1',
      symbol,
      market: 'derivative',
      side,
      price: '10000',
      quantity,
      positionSide: 'both',
      fee: '0',
      feeCurrency: 'BBB',
      liquidity: 'taker',
      ts,
    },
  });
  const paid = (ts: number, amount: string): object => {
    const funding: SideFunding = { currency: 'BBB', amount, symbol, positionSide: 'both', ts };
    return { kind: 'record', name: FUNDING_RECORD, data: funding };
  };
  const entries = [
    { kind: 'record', name: GRANT_RECORD, data: { currency: 'BBB', amount: '100000' } },
    // Told late: the payment was before the close.
    paid(2, '-200'),
    paid(4, '-60'),
    fill(1, 'buy', '2'),
    fill(3, 'sell', '1'),
  ];
  const rows = entries.map((entry, seq) => ({ seq, ts: 0, entry })) as unknown as JournalRow[];
  const state = RebuiltVenue.of(rows, symbolFacts(instruments, simulationOptions.parse({}).fees)).state();
  const { exchange } = new Hours({});
  exchange.restore(state!, 5_000);
  // 1,000 − 200, half of which a close gave back, − 60.
  expect(exchange.positions()).toMatchObject([{ quantity: '1', margin: '340' }]);
  // Beside the 100,000 of `Hours`.
  expect(exchange.purse.wallet.pocket('BBB').row()).toMatchObject({ available: '199400', locked: '340' });
});
