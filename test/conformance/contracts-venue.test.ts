/**
 * The simulated venue against a naive one: rules M0 to M6 and M8 of simulation.md written down again as plainly as they
 * are said, on maps, without regard to speed, and played on random markets with random orders. Each market is a symbol of
 * its own, so that one backtest plays them all; the fills must be the same, to the last one.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { World, type Row, type Step } from './contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const T0 = Date.UTC(2024, 6, 1, 9);
const LATENCY_MS = 25;
const MARKETS = 60;

type Side = 'buy' | 'sell';
type Rows = readonly (readonly [price: number, quantity: number])[];

type Event =
  | {
      readonly kind: 'depth';
      readonly ts: number;
      readonly id: number;
      readonly bids: Rows;
      readonly asks: Rows;
      readonly first: boolean;
      readonly from: number;
    }
  | {
      readonly kind: 'quote';
      readonly ts: number;
      readonly id: number;
      readonly bid: readonly [number, number];
      readonly ask: readonly [number, number];
    }
  | {
      readonly kind: 'trade';
      readonly ts: number;
      readonly price: number;
      readonly quantity: number;
      readonly side: Side;
    };

type Command =
  | {
      readonly kind: 'place';
      readonly at: number;
      readonly ref: string;
      readonly side: Side;
      readonly price: number | null;
      readonly quantity: number;
      readonly ioc: boolean;
    }
  | { readonly kind: 'cancel'; readonly at: number; readonly ref: string };

interface Market {
  readonly symbol: string;
  readonly events: readonly Event[];
  readonly commands: readonly Command[];
}

// ── random markets ───────────────────────────────────────────────────────────────────────────────────────────────────

class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed + 1;
  }
  next(): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state / 2_147_483_647;
  }
  below(n: number): number {
    return Math.floor(this.next() * n);
  }
}

const bestOf = (side: ReadonlyMap<number, number>, buys: boolean): number =>
  buys ? Math.max(-Infinity, ...side.keys()) : Math.min(Infinity, ...side.keys());

function set(side: Map<number, number>, price: number, quantity: number): void {
  if (quantity === 0) side.delete(price);
  else side.set(price, quantity);
}

/** M0 on a plain book. */
function mergeQuote(
  bids: Map<number, number>,
  asks: Map<number, number>,
  event: Extract<Event, { kind: 'quote' }>,
): void {
  const [bid, bidQuantity] = event.bid;
  const [ask, askQuantity] = event.ask;
  for (const price of bids.keys()) if (price > bid || price >= ask) bids.delete(price);
  for (const price of asks.keys()) if (price < ask || price <= bid) asks.delete(price);
  bids.set(bid, bidQuantity);
  asks.set(ask, askQuantity);
}

function randomMarket(n: number): Market {
  const dice = new Dice(n * 7919 + 13);
  const bids = new Map<number, number>();
  const asks = new Map<number, number>();
  for (let step = 0; step < 5; step++) {
    bids.set(1000 - step, 1 + dice.below(12));
    asks.set(1001 + step, 1 + dice.below(12));
  }
  let id = 10;
  let lastDepth = 10;
  let ts = T0 + n;
  const events: Event[] = [{ kind: 'depth', ts, id, from: 10, first: true, bids: [...bids], asks: [...asks] }];
  while (events.length < 90) {
    ts += 3 + dice.below(40);
    const kind = dice.next();
    const bid = bestOf(bids, true);
    const ask = bestOf(asks, false);
    if (kind < 0.45) {
      const rows: { bids: [number, number][]; asks: [number, number][] } = { bids: [], asks: [] };
      for (let count = 1 + dice.below(3); count > 0; count--) {
        const buys = dice.next() < 0.5;
        const side = buys ? bids : asks;
        const bound = buys ? bestOf(asks, false) - 1 : bestOf(bids, true) + 1;
        const price = buys ? bound - dice.below(5) : bound + dice.below(5);
        const quantity = dice.next() < 0.3 && side.size > 2 && side.has(price) ? 0 : 1 + dice.below(12);
        set(side, price, quantity);
        const list = buys ? rows.bids : rows.asks;
        const again = list.findIndex(([each]) => each === price);
        if (again >= 0) list.splice(again, 1);
        list.push([price, quantity]);
      }
      const from = lastDepth + 1;
      id += 10;
      lastDepth = id;
      events.push({ kind: 'depth', ts, id, from, first: false, ...rows });
    } else if (kind < 0.62) {
      const low = bid - 1 + dice.below(3);
      const event = {
        kind: 'quote' as const,
        ts,
        id: id + 5,
        bid: [low, 1 + dice.below(12)] as const,
        ask: [low + 1 + dice.below(2), 1 + dice.below(12)] as const,
      };
      mergeQuote(bids, asks, event);
      events.push(event);
      id += 5;
    } else {
      const side: Side = dice.next() < 0.5 ? 'buy' : 'sell';
      const price = (side === 'buy' ? ask : bid) + (dice.next() < 0.2 ? dice.below(3) - 1 : 0);
      events.push({ kind: 'trade', ts, price, quantity: 1 + dice.below(9), side });
    }
  }
  const side: Side = n % 2 === 0 ? 'buy' : 'sell';
  const commands: Command[] = [];
  const refs: string[] = [];
  for (let at = T0 + 100; at < ts - 100; at += 57 + dice.below(30)) {
    if (refs.length > 0 && dice.next() < 0.2) {
      commands.push({ kind: 'cancel', at, ref: refs[dice.below(refs.length)]! });
      continue;
    }
    const ref = `${n}-${commands.length}`;
    const away = dice.below(4) - 1;
    const price = dice.next() < 0.1 ? null : side === 'buy' ? 1000 - away : 1001 + away;
    refs.push(ref);
    commands.push({
      kind: 'place',
      at,
      ref,
      side,
      price,
      quantity: 1 + dice.below(8),
      ioc: price === null || dice.next() < 0.15,
    });
  }
  return { symbol: `S${String(n).padStart(2, '0')}USDT`, events, commands };
}

// ── the naive venue ──────────────────────────────────────────────────────────────────────────────────────────────────

interface Own {
  readonly ref: string;
  readonly price: number;
  left: number;
  front: number;
}

interface Level {
  displayed: number;
  traded: number;
  orders: Own[];
}

type Model = 'risk-averse' | 'prob';

/** Others ahead after a change without the trades (M6). */
function frontAfter(model: Model, front: number, previous: number, next: number, traded: number): number {
  if (model === 'risk-averse') return Math.min(front, next);
  const change = previous - next - traded;
  if (change < 0) return Math.min(front, next);
  const back = Math.max(0, previous - front);
  const share = back ** 3 / (back ** 3 + front ** 3);
  const p = Number.isFinite(share) ? share : 1;
  return Math.max(0, Math.min(front - (1 - p) * change + Math.min(back - p * change, 0), next));
}

class NaiveVenue {
  readonly fills: string[] = [];
  readonly #model: Model;
  readonly #side: Side;
  readonly #bids = new Map<number, number>();
  readonly #asks = new Map<number, number>();
  readonly #own = new Map<number, Level>();
  readonly #taken = new Map<number, { original: number; consumed: number }>();
  #id = 0;

  constructor(model: Model, side: Side) {
    this.#model = model;
    this.#side = side;
  }

  get #buys(): boolean {
    return this.#side === 'buy';
  }

  get #mine(): Map<number, number> {
    return this.#buys ? this.#bids : this.#asks;
  }

  get #theirs(): Map<number, number> {
    return this.#buys ? this.#asks : this.#bids;
  }

  /** Own prices, best first. */
  #prices(): number[] {
    return [...this.#own.keys()].toSorted((a, b) => (this.#buys ? b - a : a - b));
  }

  #fill(order: Own, quantity: number, price: number, ts: number, liquidity: string): void {
    order.left -= quantity;
    this.fills.push(`${ts - T0} ${order.ref} ${quantity}@${price} ${liquidity}`);
  }

  #sweep(): void {
    for (const [price, level] of this.#own) {
      level.orders = level.orders.filter(({ left }) => left > 0);
      if (level.orders.length === 0) this.#own.delete(price);
    }
  }

  /** What stands at an opposite price, less what own takers have had of it. */
  #available(price: number): number {
    const displayed = this.#theirs.get(price) ?? 0;
    const taken = this.#taken.get(price);
    return taken === undefined || taken.original !== displayed ? displayed : displayed - taken.consumed;
  }

  /** M5: `price` of the other side, or a print beyond, fills every own order that it passes or, `equal`, reaches. */
  #through(price: number, ts: number, equal: boolean): void {
    for (const own of this.#prices()) {
      const passed = this.#buys ? price < own : price > own;
      if (!passed && !(equal && price === own)) continue;
      for (const order of this.#own.get(own)!.orders) this.#fill(order, order.left, own, ts, 'maker');
    }
    this.#sweep();
  }

  #bookMoved(ts: number, mentioned: ReadonlySet<number>): void {
    // M1: a level that changed was refreshed, also when it comes back to what it was.
    for (const [price, { original }] of this.#taken) {
      if ((this.#theirs.get(price) ?? 0) !== original) this.#taken.delete(price);
    }
    for (const [price, level] of this.#own) {
      const next = this.#mine.get(price) ?? 0;
      if (next === level.displayed && !(mentioned.has(price) && level.traded > 0)) continue;
      for (const order of level.orders) {
        order.front = frontAfter(this.#model, order.front, level.displayed, next, level.traded);
      }
      for (const [index, order] of level.orders.entries()) {
        if (index > 0) order.front = Math.max(order.front, level.orders[index - 1]!.front);
      }
      level.displayed = next;
      level.traded = 0;
    }
    const open = [...this.#theirs.keys()].filter((price) => this.#available(price) > 0);
    if (open.length > 0) this.#through(this.#buys ? Math.min(...open) : Math.max(...open), ts, true);
  }

  event(event: Event): void {
    if (event.kind === 'trade') {
      this.#print(event);
      return;
    }
    if (event.kind === 'quote') {
      if (event.id <= this.#id) return;
      mergeQuote(this.#bids, this.#asks, event);
      this.#bookMoved(event.ts, new Set());
      return;
    }
    this.#id = event.id;
    for (const [price, quantity] of event.bids) set(this.#bids, price, quantity);
    for (const [price, quantity] of event.asks) set(this.#asks, price, quantity);
    const [mine, theirs] = this.#buys ? [event.bids, event.asks] : [event.asks, event.bids];
    for (const [price] of theirs) this.#taken.delete(price);
    this.#bookMoved(event.ts, new Set(mine.map(([price]) => price)));
  }

  #print({ ts, price, quantity, side }: Extract<Event, { kind: 'trade' }>): void {
    this.#through(price, ts, false);
    const level = side === this.#side ? undefined : this.#own.get(price);
    if (level === undefined) return;
    let left = quantity;
    let eaten = 0;
    for (const order of level.orders) {
      const others = Math.min(left, Math.max(0, order.front - eaten));
      eaten += others;
      left -= others;
      const filled = Math.min(order.left, Math.floor(left + 1e-9));
      if (filled > 0) this.#fill(order, filled, price, ts, 'maker');
      left -= filled;
    }
    for (const order of level.orders) order.front = Math.max(0, order.front - eaten);
    level.traded += quantity;
    this.#sweep();
  }

  command(command: Command): void {
    const ts = command.at + LATENCY_MS;
    if (command.kind === 'cancel') {
      for (const level of this.#own.values()) level.orders = level.orders.filter(({ ref }) => ref !== command.ref);
      this.#sweep();
      return;
    }
    const bound = command.price ?? (this.#buys ? Infinity : -Infinity);
    const order: Own = { ref: command.ref, price: bound, left: command.quantity, front: 0 };
    const levels = [...this.#theirs.keys()].toSorted((a, b) => (this.#buys ? a - b : b - a));
    for (const price of levels) {
      if (order.left === 0 || (this.#buys ? price > bound : price < bound)) break;
      const quantity = Math.min(order.left, this.#available(price));
      if (quantity === 0) continue;
      const original = this.#theirs.get(price)!;
      const before = this.#taken.get(price);
      this.#taken.set(price, { original, consumed: quantity + (before?.original === original ? before.consumed : 0) });
      this.#fill(order, quantity, price, ts, 'taker');
    }
    if (order.left === 0 || command.ioc) return;
    const level = this.#own.get(bound) ?? { displayed: this.#mine.get(bound) ?? 0, traded: 0, orders: [] };
    order.front = Math.max(level.displayed, level.orders.at(-1)?.front ?? 0);
    level.orders.push(order);
    this.#own.set(bound, level);
  }
}

function naive(market: Market, model: Model): string[] {
  const side = market.commands.find((command) => command.kind === 'place')!.side;
  const venue = new NaiveVenue(model, side);
  // T4: the venue's events before commands of the same instant.
  const all = [
    ...market.events.map((event) => ({ ts: event.ts, run: () => venue.event(event) })),
    ...market.commands.map((command) => ({ ts: command.at + LATENCY_MS, run: () => venue.command(command) })),
  ].toSorted((a, b) => a.ts - b.ts);
  for (const { run } of all) run();
  return venue.fills;
}

// ── the comparison ───────────────────────────────────────────────────────────────────────────────────────────────────

const texts = (rows: Rows): string[][] => rows.map(([price, quantity]) => [`${price}`, `${quantity}`]);

function rowOf(symbol: string, event: Event): Row {
  const head = { ts: event.ts, recv: event.ts + 1, symbol };
  switch (event.kind) {
    case 'depth':
      return {
        ...head,
        type: event.first ? 'snapshot' : 'depth',
        U: event.from,
        u: event.id,
        bids: texts(event.bids),
        asks: texts(event.asks),
      };
    case 'quote':
      return {
        ...head,
        type: 'quote',
        updateId: event.id,
        bid: `${event.bid[0]}`,
        bidQuantity: `${event.bid[1]}`,
        ask: `${event.ask[0]}`,
        askQuantity: `${event.ask[1]}`,
      };
    case 'trade':
      return {
        ...head,
        type: 'trade',
        tradeId: `${event.ts}`,
        price: `${event.price}`,
        quantity: `${event.quantity}`,
        side: event.side,
      };
  }
}

function stepOf(symbol: string, command: Command): Step {
  if (command.kind === 'cancel') return { at: command.at, actions: [{ kind: 'cancel', ref: command.ref }] };
  const { at, ref, side, price, quantity, ioc } = command;
  const order = price === null ? { type: 'market' } : { type: 'limit', price, timeInForce: ioc ? 'ioc' : 'gtc' };
  return { at, actions: [{ kind: 'place', symbol, ref, side, quantity, ...order }] };
}

describe('the simulated venue and a naive one', () => {
  const markets = Array.from({ length: MARKETS }, (_, n) => randomMarket(n));

  it.each(['risk-averse', 'prob'] as const)('make the same fills with %s', async (model) => {
    const rows = markets.flatMap(({ symbol, events }) => events.map((event) => rowOf(symbol, event)));
    const ordered = rows.toSorted((a, b) => Number(a['recv']) - Number(b['recv']));
    const steps = markets.flatMap(({ symbol, commands }) => commands.map((command) => stepOf(symbol, command)));
    const start = markets.map(({ symbol }) => `${symbol.replace('USDT', '')}: "1000000"`).join(', ');
    const config = `account: { start: { USDT: "1000000000", ${start} } }
risk: { priceCollar: 1, maxOrderEquityFraction: 1, messagesPerSecond: 100000, maxOpenOrders: 100000 }
simulation: { queue: ${model}, nettingWindowMs: 0 }
`;
    const { fills, orders } = await world.play(ordered, steps, { config, flags: ['--param', 'symbol=S00USDT'] });
    expect(orders.filter(({ state }) => state === 'denied').slice(0, 3)).toEqual([]);
    let compared = 0;
    for (const market of markets) {
      const ours = fills
        .filter(({ symbol }) => symbol === market.symbol)
        .map(
          ({ ts, orderRef, quantity, price, liquidity }) => `${ts - T0} ${orderRef} ${quantity}@${price} ${liquidity}`,
        );
      expect(ours, market.symbol).toEqual(naive(market, model));
      compared += ours.length;
    }
    expect(compared).toBeGreaterThan(MARKETS * 5);
  });
});
