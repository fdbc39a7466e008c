/**
 * Tidewire's side of the parity runs, twice: `session` is the whole public path (a strategy file, the executor, the
 * backtest), `venue` the port of the simulated venue alone, where own orders may cross and times are seen in µs.
 */
import { join } from 'node:path';
import { dec } from '../../src/model/numbers/money.ts';
import { Instruments } from '../../src/model/market/instrument.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { usOf } from '../../src/model/time.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import type { VenueEvent } from '../../src/model/venue.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { replayTape } from '../../src/session/feed/replay-tape.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import type { BacktestRun } from '../../src/session/backtest.ts';
import { simulationOptions } from '../../src/simulation/options.ts';
import { SimulatedVenue } from '../../src/simulation/venue/venue.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import type { Dataset } from './dataset.ts';
import { Texts } from './decimal-texts.ts';
import type { Played, PlayedFill, PlayedOrder, Rules, ScriptStep } from './rules.ts';

function simulationOf(rules: Rules): unknown {
  const { mode, exchange, queue, nettingWindowUs, entryUs, responseUs, maker, taker } = rules;
  const latency =
    rules.latency.model === 'constant'
      ? {}
      : { model: 'lognormal', sigma: rules.latency.sigma, correlation: rules.latency.correlation };
  return {
    mode,
    exchange,
    queue: queue.model === 'prob' ? { ...queue } : { model: 'risk-averse' },
    nettingWindowMs: nettingWindowUs / 1000,
    latency: { entryMs: entryUs / 1000, responseMs: responseUs / 1000, ...latency },
    fees: { maker, taker },
  };
}

function startOf({ base, recorded }: Dataset, rules: Rules): Readonly<Record<string, string>> {
  return recorded.isDerivative ? { USDT: rules.quote } : { USDT: rules.quote, [base]: rules.base };
}

/** No limit of the executor touches a script; what it denies all the same shows as a disagreement. */
const LOOSE_RISK = {
  maxOpenOrders: 100_000,
  maxOrderEquityFraction: 1000,
  priceCollar: 10,
  messagesPerSecond: 1_000_000,
  dailyLossFraction: 1,
  repeatedRejects: 1_000_000,
};

export interface SessionPlayed extends Played {
  readonly run: BacktestRun;
}

/** Fill times are whole ms here: `us` is that ms × 1000. */
export async function playSession(
  dataset: Dataset,
  script: readonly ScriptStep[],
  rules: Rules,
): Promise<SessionPlayed> {
  const texts = new Texts(dataset.recorded);
  const steps = script.map((step) => ({
    ...step,
    ms: step.us / 1000,
    ...(step.kind === 'place'
      ? { price: step.price === null ? null : texts.price(step.price), quantity: texts.quantity(step.quantity) }
      : {}),
  }));
  const config = configSchema.parse({
    account: { reporting: 'USDT', start: startOf(dataset, rules) },
    simulation: simulationOf(rules),
    risk: LOOSE_RISK,
    strategies: [
      {
        file: join(import.meta.dirname, 'script-player.ts'),
        params: { symbol: dataset.symbol, steps },
        onStop: 'leave',
      },
    ],
  });
  const strategies = await prepareStrategies({ file: undefined, params: {}, entries: config.strategies });
  const run = await backtest({
    config,
    strategies,
    data: [dataset.path],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
  const { result } = run;
  const orders = new Map<string, PlayedOrder>();
  for (const { ref, state, filledQuantity } of result.orders) {
    orders.set(ref, { ref, state: stateOf(state), filled: texts.quantityUnits(filledQuantity), fills: [] });
  }
  for (const fill of result.fills) {
    orders.get(fill.orderRef)?.fills.push({
      us: fill.ts * 1000,
      price: texts.priceUnits(fill.price),
      quantity: texts.quantityUnits(fill.quantity),
      fee: fill.fee,
      feeCurrency: fill.feeCurrency === dataset.base ? 'base' : 'quote',
      liquidity: fill.liquidity,
    });
  }
  const position = result.positions.find(({ symbol }) => symbol === dataset.symbol)?.quantity ?? '0';
  // The reference values the account: own trading and the drift of what was held at the start.
  const equity = String((result.equity.at(-1)?.[1] ?? 0) + Number(result.stats.heldDrift ?? 0));
  return { orders: [...orders.values()], quote: '', base: null, position, equity, run };
}

function stateOf(state: string): PlayedOrder['state'] {
  switch (state) {
    case 'open':
    case 'partially_filled':
    case 'new':
      return 'open';
    case 'filled':
    case 'canceled':
    case 'expired':
    case 'rejected':
    case 'denied':
      return state;
    default:
      throw new Error(`an order ended ${state}`);
  }
}

interface Sent {
  readonly ref: string;
  readonly played: PlayedOrder;
  orderId: string | undefined;
}

/** The script against the `Venue` port. Fill times are what the observer is told, in µs of the clock. */
export function playVenue(dataset: Dataset, script: readonly ScriptStep[], rules: Rules): Played {
  const { tape, symbol, recorded } = dataset;
  const texts = new Texts(dataset.recorded);
  const instruments = new Instruments(tape.instruments.map(({ spec }) => spec));
  const clock = new VirtualClock(Math.min(tape.fromUs, script[0]?.us ?? Infinity));
  let mid = 0;
  const told = new Map<string, PlayedFill[]>();
  const byIntent = new Map<string, Sent>();
  const sent = new Map<string, Sent>();
  const filledUs = new Map<string, number>();
  const venue = new SimulatedVenue({
    clock,
    instruments,
    options: simulationOptions.parse(simulationOf(rules)),
    random: seededRandom(rules.latency.model === 'lognormal' ? rules.latency.seed : 1),
    start: startOf(dataset, rules),
    sync: () => ({
      rule: tape.rules.get(symbol) ?? 'none',
      start: tape.withSnapshot.has(symbol) ? 'snapshot' : 'updates',
    }),
    observer: {
      mid: (instrument, halfTicks) => void (mid = (halfTicks * instrument.tick) / 2),
      filled: (fill) => void filledUs.set(fill.tradeId, clock.nowUs()),
      granted: () => {},
      marked: () => {},
      funded: () => {},
      settled: () => {},
      liquidated: () => {},
    },
  });
  const hearOrder = (report: OrderReport): void => {
    const order = sent.get(report.clientOrderId ?? '');
    if (order === undefined) return;
    order.orderId = report.orderId;
    order.played.state = stateOf(report.status === 'partially_filled' ? 'open' : report.status);
    order.played.filled = texts.quantityUnits(report.filledQuantity);
  };
  const hear = (event: VenueEvent): void => {
    if (event.kind === 'outcome' && event.outcome.kind === 'refused') {
      const order = byIntent.get(event.intentId);
      if (order !== undefined) order.played.state = 'rejected';
    }
    if (event.kind === 'outcome' && event.outcome.kind === 'accepted' && event.outcome.order !== undefined)
      hearOrder(event.outcome.order);
    if (event.kind === 'order') hearOrder(event.order);
    if (event.kind === 'fill') {
      const { fill } = event;
      // The fills of a taker are told before its answer.
      const fills = told.get(fill.orderId) ?? [];
      told.set(fill.orderId, fills);
      fills.push({
        us: filledUs.get(fill.tradeId) ?? -1,
        price: texts.priceUnits(fill.price),
        quantity: texts.quantityUnits(fill.quantity),
        fee: fill.fee,
        feeCurrency: fill.feeCurrency === dataset.base ? 'base' : 'quote',
        liquidity: fill.liquidity,
      });
    }
  };
  venue.listen((events) => events.forEach(hear));
  venue.start();
  const market = recorded.isDerivative ? 'derivative' : 'spot';
  script.forEach((step, index) => {
    clock.schedule(step.us, 'timer', () => {
      const intentId = `i${index}`;
      if (step.kind === 'place') {
        const order: Sent = {
          ref: step.ref,
          played: { ref: step.ref, state: 'open', filled: 0, fills: [] },
          orderId: undefined,
        };
        sent.set(step.ref, order);
        byIntent.set(intentId, order);
        venue.send(
          {
            kind: 'create',
            intentId,
            lane: 'create',
            order: {
              market,
              symbol,
              side: step.side,
              type: step.price === null ? 'market' : 'limit',
              timeInForce: step.timeInForce,
              price: step.price === null ? null : texts.price(step.price),
              quantity: texts.quantity(step.quantity),
              clientOrderId: step.ref,
            },
          },
          () => 'go',
        );
        return;
      }
      const orderId = sent.get(step.ref)?.orderId;
      if (orderId === undefined) return;
      venue.send({ kind: 'cancel', intentId, lane: 'cancel', symbol, market, orderId }, () => 'go');
    });
  });
  const isReplayed = replayTape(tape, clock, { happened: (event) => venue.onMarket(event), barOpens: null }, () => {});
  while (!isReplayed() && clock.step());
  const account = venue.account();
  // Answers that are still under way.
  const limitUs = clock.nowUs() + usOf(10_000);
  while (clock.step(limitUs));
  const quote = account.totals.get('USDT') ?? '0';
  const base = recorded.isDerivative ? null : (account.totals.get(dataset.base) ?? '0');
  const held = account.positions.find((row) => row.symbol === symbol);
  const size = recorded.isDerivative ? dec(held?.quantity ?? '0') : dec(base ?? '0');
  const worth = size.times(mid).minus(held?.cost ?? '0');
  return {
    orders: [...sent.values()].map(({ played, orderId }) => ({ ...played, fills: told.get(orderId ?? '') ?? [] })),
    quote,
    base,
    position: (recorded.isDerivative ? size : size.minus(rules.base)).toFixed(),
    equity: dec(quote).plus(worth).toFixed(),
  };
}
