/**
 * A strategy's test, written as what happens: steps are queued and run in order when the scenario is awaited. Time moves by
 * `advance`, `candles` and `outage` alone.
 *
 *   const scene = await scenario({ strategy, at: 'BTCUSDT' }).book({ bid: 100, ask: 101 }).expect([{ kind: 'quote' }]);
 *   await scene.trade({ price: 99, quantity: 1, side: 'sell' }).expect({ position: 1 });
 */
import type { OrderUpdate, Side } from '../model/trading/order.ts';
import { usOf } from '../model/time.ts';
import { testingErrors } from './errors.ts';
import { mustBe, type Expected, type ExpectedAction } from './expectation.ts';
import {
  barsOf,
  bookEvent,
  pathOf,
  tradeEvent,
  type ScenarioBook,
  type ScenarioCandle,
  type ScenarioSignal,
  type ScenarioTrade,
} from './market-script.ts';
import { durationOf, type ScenarioOptions } from './options.ts';
import { Readings } from './scene.ts';
import { ScenarioWorld } from './world.ts';

/** An order by its ref, by its side, or by fields. */
export type WhichOrder = string | { readonly side?: Side; readonly price?: number | string; readonly leg?: string };

export interface CandleOptions {
  /** Default: the strategy's, else `'1m'`. */
  readonly interval?: string;
  readonly symbol?: string;
}

type Step = (world: ScenarioWorld, scene: Scene) => Promise<void> | void;

/** The steps; each returns the scenario for the next step. */
abstract class Steps {
  protected abstract with(step: Step): Scenario;

  /** The book becomes this. */
  book(book: ScenarioBook): Scenario {
    return this.with((world) => world.happen(bookEvent(world.instrumentOf(book.symbol), world.clock.nowUs(), book)));
  }

  /** Somebody trades; a resting order of the strategy fills as its place in the queue allows. */
  trade(trade: ScenarioTrade): Scenario {
    return this.with((world) => trades(world, trade));
  }

  /** Bars one after another: each prints open, low, high and close, with a book of one tick around, and lasts its interval. */
  candles(candles: readonly ScenarioCandle[], options: CandleOptions = {}): Scenario {
    return this.with((world) => playCandles(world, candles, options));
  }

  /**
   * A resting order fills: whole, since others trade through its price, or by `quantity`, which they trade at its price. An
   * order that rests at a better price fills first.
   */
  fill(which: WhichOrder, { quantity }: { readonly quantity?: number } = {}): Scenario {
    return this.with((world) => fillOrder(world, which, quantity));
  }

  /** A message from outside, as `signals(name)` gives it. An id that came before is not delivered again. */
  signal(signal: ScenarioSignal): Scenario {
    return this.with((world) => world.signal(signal));
  }

  /** Time passes: `'5s'`, `'2m'`. */
  advance(duration: string): Scenario {
    return this.with((world) => world.advance(durationOf(duration)));
  }

  /** Nothing reaches the bot and nothing leaves it, for as long; then it reconnects and reconciles. */
  outage(duration: string): Scenario {
    return this.disconnect().advance(duration).reconnect();
  }

  /** The begin of an outage; what happens until `reconnect` is seen by the exchange alone. */
  disconnect(): Scenario {
    return this.with((world) => world.cut());
  }

  reconnect(): Scenario {
    return this.with((world) => world.mend());
  }

  /** The process dies here, with `kill -9`; executor and strategy start anew on the journal. */
  crash(): Scenario {
    return this.with((world) => world.crash());
  }

  /** Actions since the last such call, or what the account holds. Throws `scenario_expectation`. */
  expect(expected: Expected | readonly ExpectedAction[]): Scenario {
    return this.with((world, scene) => mustBe(expected, scene, world));
  }

  /** Own assertions in the middle. */
  check(look: (scene: Scene) => void): Scenario {
    return this.with((_, scene) => look(scene));
  }
}

/** A scenario to await. */
export class Scenario extends Steps implements PromiseLike<Scene> {
  readonly #run: Run;
  readonly #steps: readonly Step[];

  constructor(run: Run, steps: readonly Step[]) {
    super();
    this.#run = run;
    this.#steps = steps;
  }

  protected with(step: Step): Scenario {
    return new Scenario(this.#run, [...this.#steps, step]);
  }

  // oxlint-disable-next-line unicorn/no-thenable
  then<A = Scene, B = never>(
    done?: ((scene: Scene) => A | PromiseLike<A>) | null,
    failed?: ((thrown: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    // oxlint-disable-next-line promise/no-callback-in-promise
    return this.#run(this.#steps).then(done, failed);
  }
}

type Run = (steps: readonly Step[]) => Promise<Scene>;

/** Result of an awaited scenario: it can be read and continued. */
export interface Scene extends Readings, Omit<Steps, 'with'> {}

function sceneOf(readings: Readings, begun: () => Scenario): Scene {
  const steps = new Scenario(() => Promise.reject(new Error('no run')), []);
  return new Proxy(readings, {
    get: (target, name) => {
      if (name === 'then') return undefined;
      if (name in target) {
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      if (!(name in steps)) return undefined;
      const next = begun();
      return (Reflect.get(next, name) as (...args: unknown[]) => unknown).bind(next);
    },
  }) as unknown as Scene;
}

/** One scenario at a time has RxJS's clock of this thread. */
let turn: Promise<unknown> = Promise.resolve();

function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const answer = turn.then(run);
  turn = answer.catch(() => {});
  return answer;
}

/**
 * A strategy on the real executor and the simulated exchange, in virtual time and in memory.
 *
 * @throws scenario_invalid, params_invalid
 */
export function scenario(options: ScenarioOptions): Scenario {
  let world: ScenarioWorld | undefined;
  const run: Run = (steps) =>
    inTurn(async () => {
      const isNew = world === undefined;
      const here = (world ??= new ScenarioWorld(options));
      const scene = sceneOf(new Readings(here), () => new Scenario(run, []));
      here.process.time.enter();
      try {
        if (isNew) await here.begin();
        for (const step of steps) await step(here, scene);
      } finally {
        here.process.time.leave();
      }
      return scene;
    });
  return new Scenario(run, []);
}

function trades(world: ScenarioWorld, trade: ScenarioTrade): Promise<void> {
  const instrument = world.instrumentOf(trade.symbol);
  world.lastPrices.set(instrument.symbol, trade.price);
  return world.happen(tradeEvent(instrument, world.clock.nowUs(), ++world.trades, trade));
}

async function playCandles(
  world: ScenarioWorld,
  candles: readonly ScenarioCandle[],
  { interval, symbol }: CandleOptions,
): Promise<void> {
  const instrument = world.instrumentOf(symbol);
  const stepMs = interval === undefined ? world.intervalMs : durationOf(interval);
  const tick = Number(instrument.spec.tickSize);
  const lot = Number(instrument.spec.lotSize);
  for (const bar of barsOf(candles, world.lastPrices.get(instrument.symbol))) {
    const endUs = (Math.floor(world.clock.nowUs() / usOf(stepMs)) + 1) * usOf(stepMs);
    const path = pathOf(bar);
    const quantity = Math.max(1, Math.round(bar.volume / path.length / lot)) * lot;
    const quarterMs = (endUs - world.clock.nowUs()) / 1000 / path.length;
    for (const [index, price] of path.entries()) {
      const at = instrument.symbol;
      await world.happen(
        bookEvent(instrument, world.clock.nowUs(), {
          bid: Number(instrument.roundPrice(price - tick, 'nearest')),
          ask: Number(instrument.roundPrice(price + tick, 'nearest')),
        }),
      );
      await trades(world, { symbol: at, price, quantity, side: price >= bar.open ? 'buy' : 'sell' });
      if (index < path.length - 1) await world.advance(quarterMs);
    }
    // The first event past the boundary closes the bar, or one second.
    await world.advance((endUs - world.clock.nowUs()) / 1000);
  }
  await world.advance(1_000);
}

function matches(order: OrderUpdate, which: WhichOrder): boolean {
  if (typeof which === 'string') return order.ref === which;
  const { side, price, leg } = which;
  return (
    (side === undefined || order.side === side) &&
    (price === undefined || Number(order.price) === Number(price)) &&
    (leg === undefined || order.leg === leg)
  );
}

async function fillOrder(world: ScenarioWorld, which: WhichOrder, quantity: number | undefined): Promise<void> {
  const open = world.account.openOrders();
  const order = open.find((each) => each.price !== null && matches(each, which));
  if (order === undefined) {
    const rests = open.map(({ ref, side, quantity: all, price }) => `  ${ref}: ${side} ${all} at ${price ?? 'market'}`);
    const text = typeof which === 'string' ? which : JSON.stringify(which);
    const message = [`no order ${text} rests; what rests:`, ...(rests.length === 0 ? ['  nothing'] : rests)].join('\n');
    throw testingErrors.make('scenario_no_order', message);
  }
  const instrument = world.instrumentOf(order.symbol);
  const tick = Number(instrument.spec.tickSize);
  const sign = order.side === 'buy' ? -1 : 1;
  const left = Number((Number(order.quantity) - Number(order.filledQuantity)).toFixed(12));
  const side = order.side === 'buy' ? 'sell' : 'buy';
  const { symbol } = order;
  if (quantity !== undefined && quantity < left) {
    const price = Number(order.price);
    world.lastPrices.set(symbol, price);
    const trade = tradeEvent(instrument, world.clock.nowUs(), ++world.trades, { symbol, price, quantity, side });
    return world.happenInFront(trade);
  }
  const price = Number(instrument.roundPrice(Number(order.price) + sign * tick, 'nearest'));
  await trades(world, { symbol, price, quantity: quantity ?? left, side });
}
