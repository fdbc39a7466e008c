/**
 * What the tests of this room share: a hand-moved clock, a fixed market, and a small exchange that implements the
 * `Venue` port and can be told to lose answers, refuse, delay or not be readable.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutorDeps } from '../../src/execution/executor-types.ts';
import { Executor } from '../../src/execution/executor.ts';
import type { ExecutorEvent } from '../../src/spine/events.ts';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { executionSchema } from '../../src/execution/options.ts';
import { limitsSchema } from '../../src/risk/options.ts';
import type { AccountMovement, Balance, VenuePosition } from '../../src/model/trading/account.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import { Instruments, type InstrumentSpec } from '../../src/model/market/instrument.ts';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import type { OrderBook } from '../../src/model/book/book.ts';
import { sweep, type Sweep } from '../../src/model/book/sweep.ts';
import { BID } from '../../src/model/market/market-event.ts';
import { dec, decimalText } from '../../src/model/numbers/money.ts';
import type { OrderReport, OrderRequest, Side, VenueOrderStatus } from '../../src/model/trading/order.ts';
import { silentLogger, type Clock, type Gate, type MarketReader } from '../../src/model/ports.ts';
import type { Outcome, Reading } from '../../src/model/result.ts';
import type {
  MoneyQueries,
  OnDispatch,
  Venue,
  VenueCommand,
  VenueEvent,
  VenueListener,
  VenueQueries,
  Verdict,
} from '../../src/model/venue.ts';

export const BTC: InstrumentSpec = {
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '100',
  minNotional: '5',
  status: 'trading',
};

export const PERP: InstrumentSpec = {
  ...BTC,
  symbol: 'BTCUSDTPERP',
  market: 'derivative',
  settle: 'USDT',
  lotSize: '0.001',
  minQuantity: '0.001',
};

/** 2026-01-05T00:00:00Z */
export const START = 1_767_571_200_000;

export class HandClock implements Clock {
  #now = START;
  #timers: { due: number; run: () => void; seq: number }[] = [];
  #seq = 0;
  now(): number {
    return this.#now;
  }
  nowUs(): number {
    return this.#now * 1000;
  }
  after(delayMs: number, run: () => void): () => void {
    const timer = { due: this.#now + Math.max(0, delayMs), run, seq: this.#seq++ };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }
  every(intervalMs: number, run: () => void): () => void {
    let stop = (): void => {};
    const again = (): void => {
      stop = this.after(intervalMs, () => {
        run();
        again();
      });
    };
    again();
    return () => stop();
  }
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due || a.seq - b.seq);
      if (next === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = end;
  }
  /** Advances in steps, letting the reconciler's queries answer in between. */
  async advanceAsync(ms: number, stepMs = 500): Promise<void> {
    for (let done = 0; done < ms; done += stepMs) {
      this.advance(Math.min(stepMs, ms - done));
      await settle();
    }
  }
}

/** Lets every query that has an answer deliver it. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

type Level = readonly [ticks: number, lots: number];

export class FixedMarket implements MarketReader {
  bid = 6_000_000;
  ask = 6_000_100;
  open = true;
  best(): ReturnType<MarketReader['best']> {
    return this.open ? { bidTicks: this.bid, bidLots: 100_000, askTicks: this.ask, askLots: 100_000 } : undefined;
  }
  mid(): number | undefined {
    return this.open ? (this.bid + this.ask) / 200 : undefined;
  }
  /** Own orders included; else the best prices are all there is. */
  levels: { readonly bids: readonly Level[]; readonly asks: readonly Level[] } | null = null;
  sweep(_symbol: string, side: Side, lots: number): Sweep | undefined {
    if (!this.open) return undefined;
    const there = 100_000;
    const { bids, asks } = this.levels ?? { bids: [[this.bid, there]], asks: [[this.ask, there]] };
    const walk: OrderBook['walk'] = (of, visit) => {
      (of === BID ? bids : asks).every(([ticks, shown]) => visit(ticks, shown));
    };
    return sweep({ walk }, side, lots);
  }
  readonly #hears = new Set<{ kind: string; hear: (price: number, quantity: number) => void }>();
  follow(
    _symbol: string,
    kind: 'quote' | 'trade' | 'mark',
    hear: (price: number, quantity: number) => void,
  ): () => void {
    const one = { kind, hear };
    this.#hears.add(one);
    return () => void this.#hears.delete(one);
  }
  get followers(): number {
    return this.#hears.size;
  }
  /** Quote units; the ask is one unit above. */
  move(bid: number): void {
    this.bid = bid * 100;
    this.ask = this.bid + 100;
    for (const { kind, hear } of this.#hears) if (kind === 'quote') hear(Number.NaN, 0);
  }
  print(price: number, quantity: number): void {
    for (const { kind, hear } of this.#hears) if (kind === 'trade') hear(price, quantity);
  }
}

type CreateMode = 'accept' | 'ack-lost' | 'never-arrives' | 'refuse' | 'hold' | 'not-sent';
type CancelMode = 'accept' | 'ack-lost' | 'never-arrives' | 'hold' | 'no-effect';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const NO_MONEY = { kind: 'refused', code: 'not_available', message: 'no money here' } as const;

export class TestVenue implements Venue {
  readonly printsOwn: boolean = false;
  readonly clientOrderIds: boolean;
  createMode: CreateMode = 'accept';
  cancelMode: CancelMode = 'accept';
  refusal = 'insufficient_balance';
  /** Commands whose bytes left, in order. */
  readonly sent: VenueCommand[] = [];
  readonly orders = new Map<string, Mutable<OrderReport>>();
  readonly trades: VenueFill[] = [];
  balancesNow: Balance[] = [trading('USDT', '1000000'), trading('BTC', '10')];
  positionsNow: VenuePosition[] = [];
  /** Of money, by whomever. */
  movementsNow: AccountMovement[] = [];
  /** What the reading of each list answers; failed readings carry no items. */
  readable: Record<Exclude<keyof VenueQueries, keyof MoneyQueries>, 'complete' | 'partial' | 'failed'> = {
    activeOrders: 'complete',
    orderHistory: 'complete',
    ownTrades: 'complete',
    balances: 'complete',
    positions: 'complete',
    funding: 'complete',
    movements: 'complete',
  };
  /** Orders and trades younger than this are not in the lists yet. */
  lagMs = 0;
  /** Orders whose client id the lists do not tell. */
  forgets: (order: OrderReport) => boolean = () => false;
  /** While true, `send` keeps the commands; `release` dispatches them. */
  queueing = false;
  readonly #queue: (() => void)[] = [];
  readonly #leaving: (() => void)[] = [];
  #isTogether = false;
  readonly #clock: Clock;
  #listener: VenueListener = () => {};
  #count = 0;

  constructor(clock: Clock, clientOrderIds = true) {
    this.#clock = clock;
    this.clientOrderIds = clientOrderIds;
  }

  listen(listener: VenueListener): void {
    this.#listener = listener;
  }
  start(): void {
    this.emit({ kind: 'balances', balances: this.balancesNow, whole: true });
    this.emit({ kind: 'stream', state: 'ready', generation: 1, reason: '' });
  }
  async stop(): Promise<void> {}
  /** What it says at one moment. */
  emit(...events: readonly VenueEvent[]): void {
    this.#listener(events);
  }

  send(command: VenueCommand, onDispatch: OnDispatch): void {
    if (this.queueing) this.#queue.push(() => this.#dispatch(command, onDispatch));
    else this.#dispatch(command, onDispatch);
  }
  together(run: () => void): void {
    this.#isTogether = true;
    run();
    this.#isTogether = false;
    for (const leave of this.#leaving.splice(0)) leave();
  }
  release(): void {
    this.together(() => this.#queue.splice(0).forEach((run) => run()));
  }
  creates(): OrderRequest[] {
    return this.sent.flatMap((command) => (command.kind === 'create' ? [command.order] : []));
  }
  resting(): OrderReport[] {
    return [...this.orders.values()].filter(({ status }) => status === 'new' || status === 'partially_filled');
  }

  #dispatch(command: VenueCommand, onDispatch: OnDispatch): void {
    const asked = onDispatch();
    if (typeof asked === 'function' && this.#isTogether) this.#leaving.push(() => this.#leave(command, asked()));
    else this.#leave(command, typeof asked === 'function' ? asked() : asked);
  }

  #leave(command: VenueCommand, verdict: Verdict): void {
    if (verdict !== 'go') {
      this.answer(command.intentId, { kind: 'denied', denied: verdict });
      return;
    }
    this.sent.push(command);
    if (command.kind === 'create') this.#create(command.intentId, command.order);
    else if (command.kind === 'money')
      this.emit({ kind: 'money-outcome', intentId: command.intentId, outcome: NO_MONEY });
    else this.#cancel(command.intentId, command.kind === 'cancel' ? [command.orderId] : command.orderIds);
  }

  #create(intentId: string, request: OrderRequest): void {
    if (this.createMode === 'refuse')
      return this.answer(intentId, { kind: 'refused', code: this.refusal, message: 'no' });
    if (this.createMode === 'not-sent') return this.answer(intentId, { kind: 'not-sent', reason: 'connect refused' });
    if (this.createMode === 'never-arrives') return this.answer(intentId, { kind: 'unknown', reason: 'timeout' });
    const order = this.arrive(request);
    if (this.createMode === 'ack-lost') this.answer(intentId, { kind: 'unknown', reason: 'timeout' });
    else if (this.createMode === 'accept') this.answer(intentId, { kind: 'accepted', order: { ...order } });
    return undefined;
  }

  #cancel(intentId: string, orderIds: readonly string[]): void {
    if (this.cancelMode === 'hold') return;
    if (this.cancelMode === 'never-arrives') return this.answer(intentId, { kind: 'unknown', reason: 'timeout' });
    const gone: string[] = [];
    for (const orderId of orderIds) {
      const order = this.orders.get(orderId);
      if (order === undefined || (order.status !== 'new' && order.status !== 'partially_filled')) continue;
      gone.push(orderId);
      if (this.cancelMode !== 'no-effect') this.end(orderId, 'canceled');
    }
    if (this.cancelMode === 'ack-lost') return this.answer(intentId, { kind: 'unknown', reason: 'timeout' });
    if (gone.length === 0) return this.answer(intentId, { kind: 'refused', code: 'order_closed', message: 'closed' });
    if (this.cancelMode === 'accept') for (const orderId of gone) this.tell(orderId);
    this.answer(intentId, { kind: 'accepted', canceled: gone });
    return undefined;
  }

  answer(intentId: string, outcome: Outcome): void {
    this.emit({ kind: 'outcome', intentId, outcome });
  }

  /** An order comes to rest, told to nobody. */
  arrive(request: OrderRequest): OrderReport {
    const orderId = `v${++this.#count}`;
    const { clientOrderId, ...terms } = request;
    const now = this.#clock.now();
    const order: Mutable<OrderReport> = {
      ...terms,
      ...(this.clientOrderIds && clientOrderId !== '' ? { clientOrderId } : {}),
      orderId,
      filledQuantity: '0',
      averagePrice: null,
      status: 'new',
      createdAt: now,
      updatedAt: now,
    };
    this.orders.set(orderId, order);
    return order;
  }

  end(orderId: string, status: VenueOrderStatus): void {
    const order = this.orders.get(orderId);
    if (order !== undefined) order.status = status;
  }

  tell(orderId: string): void {
    const order = this.orders.get(orderId);
    if (order !== undefined) this.emit({ kind: 'order', order: { ...order } });
  }

  /** Fills at the venue; the events are returned, told only by `tellFill`. */
  fill(
    orderId: string,
    quantity: string,
    price?: string,
    fee: { fee: string; feeCurrency: string } = { fee: '0', feeCurrency: 'USDT' },
  ): VenueFill {
    const order = this.orders.get(orderId);
    if (order === undefined) throw new Error(`no order ${orderId}`);
    const filled = dec(order.filledQuantity).plus(dec(quantity));
    order.filledQuantity = decimalText(filled);
    order.averagePrice = price ?? order.price;
    order.status = filled.gte(dec(order.quantity)) ? 'filled' : 'partially_filled';
    const trade: VenueFill = {
      tradeId: `t${++this.#count}`,
      orderId,
      symbol: order.symbol,
      market: order.market,
      side: order.side,
      price: price ?? order.price ?? '60000',
      quantity,
      ...fee,
      liquidity: 'maker',
      ts: this.#clock.now(),
    };
    this.trades.push(trade);
    return trade;
  }
  tellFill(orderId: string, quantity: string, price?: string, fee?: { fee: string; feeCurrency: string }): void {
    const trade = this.fill(orderId, quantity, price, fee);
    this.emit({ kind: 'fill', fill: trade });
    this.tell(orderId);
  }

  readonly query: VenueQueries = {
    activeOrders: () =>
      this.#reading('activeOrders', () =>
        this.#visible().filter(({ status }) => status === 'new' || status === 'partially_filled'),
      ),
    orderHistory: (request) =>
      this.#reading('orderHistory', () =>
        this.#visible().filter(
          ({ status, createdAt, market }) =>
            status !== 'new' && status !== 'partially_filled' && createdAt >= request.from && market === request.market,
        ),
      ),
    ownTrades: (request) =>
      this.#reading('ownTrades', () =>
        this.trades.filter(
          ({ ts, market }) => ts >= request.from && ts <= this.#clock.now() - this.lagMs && market === request.market,
        ),
      ),
    balances: () => this.#reading('balances', () => this.balancesNow),
    positions: () => this.#reading('positions', () => this.positionsNow),
    movements: (from) => this.#reading('movements', () => this.movementsNow.filter(({ ts }) => ts >= from)),
  };

  #visible(): OrderReport[] {
    return [...this.orders.values()]
      .filter(({ createdAt, updatedAt }) => Math.min(createdAt, updatedAt) <= this.#clock.now() - this.lagMs)
      .map((order) => {
        const { clientOrderId: _, ...nameless } = order;
        return this.forgets(order) ? nameless : { ...order };
      });
  }

  async #reading<T>(name: keyof TestVenue['readable'], items: () => readonly T[]): Promise<Reading<T>> {
    const asOf = this.#clock.now();
    const kind = this.readable[name];
    if (kind === 'failed') return { kind, asOf, reason: 'unreachable' };
    if (kind === 'partial') return { kind, asOf, items: [], reason: 'one page is missing' };
    return { kind, asOf, items: items() };
  }
}

export function trading(currency: string, total: string): Balance {
  return { account: 'unified-trading', currency, available: total, locked: '0', total };
}

export interface RigOptions {
  readonly journal?: JournalStore;
  readonly market?: FixedMarket;
  readonly clientOrderIds?: boolean;
  readonly risk?: object;
  readonly reconcile?: object;
  readonly limits?: object;
  readonly gates?: readonly Gate[];
  readonly clock?: HandClock;
  readonly wall?: () => number;
  readonly venue?: TestVenue;
  readonly bootId?: string;
  readonly specs?: readonly InstrumentSpec[];
  readonly explains?: boolean;
  /** Further strategies beside `maker` and `taker`, with no limits of their own. */
  readonly others?: readonly string[];
  readonly asksNobody?: boolean;
  readonly sentElsewhere?: ExecutorDeps['sentElsewhere'];
  readonly filledElsewhere?: ExecutorDeps['filledElsewhere'];
  /** Of the strategy `maker`. */
  readonly version?: string;
  readonly onTrial?: boolean;
  readonly protect?: boolean;
}

export interface Rig {
  readonly clock: HandClock;
  readonly market: FixedMarket;
  readonly venue: TestVenue;
  readonly executor: Executor;
  readonly events: ExecutorEvent[];
  readonly journal: JournalStore;
}

export function makeRig(options: RigOptions = {}): Rig {
  const clock = options.clock ?? new HandClock();
  const market = options.market ?? new FixedMarket();
  const venue = options.venue ?? new TestVenue(clock, options.clientOrderIds ?? true);
  const journal = options.journal ?? createMemoryJournal();
  const executor = new Executor({
    venue,
    journal,
    clock,
    instruments: new Instruments(options.specs ?? [BTC, PERP]),
    market,
    gates: options.gates ?? [],
    options: executionSchema.parse({ risk: options.risk ?? {}, reconcile: options.reconcile ?? {} }),
    strategies: [
      {
        tag: 'maker',
        name: 'maker',
        limits: limitsSchema.parse(options.limits ?? {}),
        version: options.version ?? 'v1',
        onTrial: options.onTrial ?? false,
        protect: options.protect ?? false,
      },
      ...['taker', ...(options.others ?? [])].map((tag) => ({ tag, name: tag, limits: limitsSchema.parse({}) })),
    ],
    logger: silentLogger,
    bootId: options.bootId ?? 'b1',
    reporting: 'USDT',
    explains: options.explains ?? false,
    asksNobody: options.asksNobody ?? false,
    ...(options.sentElsewhere === undefined ? {} : { sentElsewhere: options.sentElsewhere }),
    ...(options.filledElsewhere === undefined ? {} : { filledElsewhere: options.filledElsewhere }),
    ...(options.wall === undefined ? {} : { wall: options.wall }),
  });
  const events: ExecutorEvent[] = [];
  executor.listen((event) => events.push(event));
  executor.restore();
  venue.start();
  return { clock, market, venue, executor, events, journal };
}

export function denials(rig: Rig): string[] {
  return rig.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.reason] : []));
}

export function alarms(rig: Rig): string[] {
  return rig.events.flatMap((event) => (event.kind === 'alarm' ? [event.code] : []));
}

/** A directory of its own, removed by the returned function. */
export function tempDir(): { readonly dir: string; readonly remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-journal-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
