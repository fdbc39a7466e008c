/**
 * The perpetual of the simulated exchange: its market maker and takers, marks that jump, and the human who holds, closes
 * and changes terms by hand on the account under test. Deals with the core directly, like `venue-side.ts`.
 */
import type { Random } from '../../../../src/model/ports.ts';
import type { PositionSide } from '../../../../src/model/trading/order.ts';
import { ZERO, type Decimal } from '../../../../src/model/numbers/money.ts';
import type { OrderRecord, Trader } from '../../../../src/sandbox/core/orders/order-record.ts';
import { AgentOrders } from '../../../../src/sandbox/market/agent-orders.ts';
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts';
import { clearTicks } from '../clear-ticks.ts';
import { HumanSettings } from './human-settings.ts';
import { LOT, PERPETUAL, type FuturesTerms } from './terms.ts';

const LEVELS = 6;
/** 0.05 of the base. */
const LOTS = 500;
/** Ticks of the spot market in one of the perpetual. */
const SPOT_TICKS = 10;
const PLENTY = { USDT: '1000000000' };

export interface PerpetualDeps {
  readonly sandbox: Sandbox;
  readonly trader: Trader;
  readonly random: Random;
  readonly terms: FuturesTerms;
  readonly clientOrderIds: boolean;
  /** Takes over what the human has placed. */
  readonly keep: (orderId: string) => void;
}

export class PerpetualSide {
  readonly terms: FuturesTerms;
  readonly settings: HumanSettings;
  readonly #deps: PerpetualDeps;
  readonly #maker: AgentOrders;
  readonly #taker: AgentOrders;
  #quotes: OrderRecord[] = [];
  #midTicks = 0;
  #grid = { tickSteps: 1, lotSteps: 1 };

  constructor(deps: PerpetualDeps) {
    this.#deps = deps;
    this.terms = deps.terms;
    this.settings = new HumanSettings({ ...deps, side: this });
    const { exchange } = deps.sandbox;
    const market = exchange.markets.get(PERPETUAL);
    if (market === undefined) throw new Error(`no ${PERPETUAL}`);
    this.#maker = new AgentOrders(exchange, market, exchange.addAgent('perpetual maker', PLENTY));
    this.#taker = new AgentOrders(exchange, market, exchange.addAgent('perpetual taker', PLENTY));
    const { trader, terms } = deps;
    const { settings } = exchange.futures;
    const refusals = [
      settings.setMode(trader, terms.mode),
      settings.setMarginType(trader, PERPETUAL, terms.marginType),
      settings.setLeverage(trader, PERPETUAL, terms.leverage),
    ];
    for (const refusal of refusals) if (refusal !== undefined) throw new Error(refusal.message);
  }

  /** Unix ms. */
  get now(): number {
    return this.#deps.sandbox.now();
  }

  get top() {
    const book = this.#deps.sandbox.exchange.markets.get(PERPETUAL)?.book;
    return { bidTicks: book?.bidTicks ?? 0, askTicks: book?.askTicks ?? 0 };
  }

  /** Of both modes: a human may change it. */
  get sides() {
    return ['both', 'long', 'short'] as const;
  }

  /** As it is now. */
  get mode(): FuturesTerms['mode'] {
    const { sandbox, trader } = this.#deps;
    return sandbox.exchange.futures.accountOf(trader).mode;
  }

  /** Signed, as the exchange holds it. */
  held(side: PositionSide): Decimal {
    const { exchange } = this.#deps.sandbox;
    const data = exchange.futures.perpetuals.get(PERPETUAL);
    if (data === undefined) return ZERO;
    return exchange.futures.accountOf(this.#deps.trader).slot(data, side).quantity;
  }

  get available(): string {
    return this.#deps.trader.wallet.pocket('USDT').row().available;
  }

  /** Payments of funding by their ids, as the exchange has booked them. */
  get payments(): ReadonlyMap<string, Decimal> {
    const { transactions } = this.#deps.sandbox.exchange.money;
    const query = { from: 0, to: Number.MAX_SAFE_INTEGER, limit: 1_000_000, before: Number.MAX_SAFE_INTEGER };
    const { items } = transactions.list(this.#deps.trader.userId, { type: 'funding' }, query);
    return new Map(items.map(({ transactionId, amount }) => [transactionId, amount]));
  }

  /** Follows the spot market, `spotTicks` being its mid, with a premium of its own. */
  makeMarket(spotTicks: number, now: number): void {
    const { random } = this.#deps;
    for (const quote of this.#quotes) this.#maker.cancel(quote, now);
    this.#quotes = [];
    this.#midTicks = Math.round((spotTicks / SPOT_TICKS) * (1 + (random.next() - 0.5) * 0.001));
    for (let level = 1; level <= LEVELS; level++) {
      const away = Math.round(level * (10 + random.next() * 60));
      this.#rest('buy', this.#midTicks - away, now);
      this.#rest('sell', this.#midTicks + away, now);
    }
    if (random.next() >= 0.5) return;
    const side = random.next() < 0.5 ? 'buy' : 'sell';
    const lots = LOTS * (1 + Math.floor(random.next() * 9));
    this.#taker.take(side, this.#midTicks + (side === 'buy' ? 600 : -600), lots, now);
  }

  /** By hand: an order that rests, one that trades at once, a close of a part or of all. `ofStrategies`: what each holds of a side. */
  humanActs(ofStrategies: (side: PositionSide) => readonly Decimal[]): void {
    const chance = this.#deps.random.next();
    if (chance < 0.35) this.#humanOrder(true);
    else if (chance < 0.55) this.#humanOrder(false);
    else if (chance < 0.85) this.#humanCloses(ofStrategies);
    else this.#humanSetsLeverage();
  }

  /** The market moves on these multiples of the core's steps. */
  setGrid(tickSteps: number, lotSteps: number): void {
    this.#grid = { tickSteps, lotSteps };
  }

  #humanOrder(trades: boolean): void {
    const { random, sandbox, trader } = this.#deps;
    const side = random.next() < 0.5 ? 'buy' : 'sell';
    const { tickSteps } = this.#grid;
    const wanted = this.#midTicks + (side === 'buy' ? 1 : -1) * (trades ? 4000 : -20_000);
    const ticks = Math.round(wanted / tickSteps) * tickSteps;
    const positionSide = this.mode === 'hedge' ? (random.next() < 0.5 ? 'long' : 'short') : 'both';
    const order = {
      symbol: PERPETUAL,
      side,
      type: 'limit',
      timeInForce: trades ? 'ioc' : 'gtc',
      price: (ticks / 10).toFixed(1).replace(/\.0$/, ''),
      quantity: random.next() < 0.5 ? '0.002' : '0.03',
      positionSide,
    } as const;
    sandbox.operate((now) => {
      const record = sandbox.exchange.futures.trading.place(trader, order, now);
      if ('orderId' in record) this.#deps.keep(record.orderId);
    });
  }

  /**
   * A part or all. Where no client ids are kept the amount is none of ours, which are whole hundredths, all that is held or all that a
   * strategy holds: a close by hand with the very terms of one of ours, within the fence of one of unknown outcome, is told apart by
   * nothing (fault model, C).
   */
  #humanCloses(ofStrategies: (side: PositionSide) => readonly Decimal[]): void {
    const { random, sandbox, trader, clientOrderIds } = this.#deps;
    const side = this.sides.find((one) => !this.held(one).isZero());
    if (side === undefined) return;
    const held = this.held(side).abs().div(LOT);
    const { lotSteps } = this.#grid;
    const some = held.times(random.next()).div(lotSteps).floor().times(lotSteps);
    const wanted = random.next() < 0.5 && some.gte(10) ? some : held;
    const ours = ofStrategies(side).map((quantity) => quantity.abs().div(LOT));
    let lots = clientOrderIds ? wanted : wanted.minus(1);
    while (!clientOrderIds && (lots.div(100).isInteger() || ours.some((own) => own.eq(lots)))) lots = lots.minus(1);
    if (!lots.isPositive() || lots.isZero()) return;
    const part = lots.eq(held) ? {} : { quantity: lots.times(LOT).toFixed() };
    sandbox.operate((now) => {
      const request = { symbol: PERPETUAL, positionSide: side, ...part };
      const record = sandbox.exchange.futures.trading.close(trader, request, now);
      if ('orderId' in record) this.#deps.keep(record.orderId);
    });
  }

  #humanSetsLeverage(): void {
    const { random, sandbox, trader } = this.#deps;
    const leverage = [2, 5, 10, 25][Math.floor(random.next() * 4)] ?? 5;
    sandbox.operate(() => void sandbox.exchange.futures.settings.setLeverage(trader, PERPETUAL, leverage));
  }

  #rest(side: 'buy' | 'sell', ticks: number, now: number): void {
    const lots = LOTS * (1 + Math.floor(this.#deps.random.next() * 8));
    const clear = clearTicks(this.#maker.market.book, side, ticks, this.#grid.tickSteps);
    const order = this.#maker.rest(side, clear, lots, now);
    if (order !== undefined) this.#quotes.push(order);
  }
}
