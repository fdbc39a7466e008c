/**
 * Watches a strategy's own conduct per symbol: orders and cancels per fill, layers, self-crosses. Warns once per
 * window, or denies new risk. A window is up to one slot longer than its name. Bounded by strategies × symbols.
 */
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import { SlotSum } from './counters.ts';
import type { RiskOptions } from './options.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import type { StateView } from '../spine/trading-state.ts';

const SLOTS = 30;
const COUNTED = ['orders', 'cancels', 'fills', 'crosses', 'buys', 'sells'] as const;
type Counted = (typeof COUNTED)[number];
type Totals = (name: Counted) => number;

class Window {
  readonly counts: Readonly<Record<Counted, SlotSum>>;
  warnedAt = Number.NEGATIVE_INFINITY;

  constructor(windowMs: number) {
    const counts = COUNTED.map((name) => [name, new SlotSum(windowMs, SLOTS)]);
    this.counts = Object.fromEntries(counts) as Window['counts'];
  }
}

interface SurveillancePort {
  readonly state: Pick<StateView, 'orders'>;
  alarm(code: 'surveillance', message: string): void;
}

export class Surveillance {
  readonly #options: RiskOptions['surveillance'];
  readonly #port: SurveillancePort;
  readonly #windows = new Map<string, Window>();

  constructor(options: RiskOptions['surveillance'], port: SurveillancePort) {
    this.#options = options;
    this.#port = port;
  }

  sent({ strategy, instrument }: OwnOrder, now: number): void {
    this.#of(strategy, instrument.symbol)?.counts.orders.add(now, 1);
  }

  canceled({ strategy, instrument }: OwnOrder, now: number): void {
    this.#of(strategy, instrument.symbol)?.counts.cancels.add(now, 1);
  }

  filled({ strategy, instrument, side }: OwnOrder, now: number): void {
    const window = this.#of(strategy, instrument.symbol);
    window?.counts.fills.add(now, 1);
    window?.counts[side === 'buy' ? 'buys' : 'sells'].add(now, 1);
  }

  /** The order would have matched an own one, which is cancelled first. */
  crossed(strategy: string, symbol: string, now: number): void {
    this.#of(strategy, symbol)?.counts.crosses.add(now, 1);
  }

  denial(strategy: string, symbol: string, now: number): Denied | null {
    const window = this.#options.action === 'off' ? undefined : this.#windows.get(`${strategy}/${symbol}`);
    if (window === undefined) return null;
    const [problem] = this.#problems(strategy, symbol, (name) => window.counts[name].total(now));
    if (problem === undefined) return null;
    const message = `${symbol}: ${strategy} ${problem} within ${this.#options.windowMs / 1_000} s`;
    if (this.#options.action === 'deny') return denied('surveillance', message);
    if (now - window.warnedAt < this.#options.windowMs) return null;
    window.warnedAt = now;
    this.#port.alarm('surveillance', message);
    return null;
  }

  #problems(strategy: string, symbol: string, total: Totals): readonly string[] {
    const { ordersPerFill, cancelsPerFill, layers, selfCrosses, minOrders } = this.#options;
    const [orders, fills, crosses] = [total('orders'), total('fills'), total('crosses')];
    const found: string[] = [];
    const perFill = (count: number, limit: number | undefined, what: string): void => {
      if (limit !== undefined && orders >= minOrders && count > limit * Math.max(1, fills))
        found.push(`has ${count} ${what} for ${fills} fills, above ${limit} for each,`);
    };
    perFill(orders, ordersPerFill, 'orders');
    perFill(total('cancels'), cancelsPerFill, 'cancels');
    if (selfCrosses !== undefined && crosses > selfCrosses)
      found.push(`would have met its own orders ${crosses} times, above ${selfCrosses},`);
    if (layers !== undefined) found.push(...this.#layered(strategy, symbol, total, layers));
    return found;
  }

  /** Many prices on one side, less than half as many on the other, and fills on that other side. */
  #layered(strategy: string, symbol: string, total: Totals, layers: number): readonly string[] {
    const prices = { buy: new Set<number>(), sell: new Set<number>() };
    for (const order of this.#port.state.orders.live(symbol))
      if (order.strategy === strategy && !order.isMarket && !order.exits) prices[order.side].add(order.ticks);
    const [many, few, fills] =
      prices.buy.size >= prices.sell.size
        ? [prices.buy.size, prices.sell.size, total('sells')]
        : [prices.sell.size, prices.buy.size, total('buys')];
    if (many < layers || few * 2 >= many || fills === 0) return [];
    return [
      `rests at ${many} prices on one side and ${few} on the other, and has traded ${fills} times against that side,`,
    ];
  }

  #of(strategy: string, symbol: string): Window | undefined {
    if (this.#options.action === 'off') return undefined;
    const key = `${strategy}/${symbol}`;
    let window = this.#windows.get(key);
    if (window === undefined) this.#windows.set(key, (window = new Window(this.#options.windowMs)));
    return window;
  }
}
