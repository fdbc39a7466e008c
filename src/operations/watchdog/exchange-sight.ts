/** The account at the exchange against a journal: four requests a look. Unreadable parts are null with a problem. */
import type { Exchange } from '../../exchange/exchange.ts';
import { isMovement } from '../../model/funds/money-records.ts';
import { isClosed } from '../../spine/orders/order-machine.ts';
import { positionName } from '../../spine/positions.ts';
import { believable } from '../../reconciler/readings.ts';
import { Valuation } from '../../risk/losses/valuation.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { signedQuantity, type Balance, type VenuePosition } from '../../model/trading/account.ts';
import { Instruments } from '../../model/market/instrument.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { SeenOrders, SeenPosition } from './rules.ts';

const TRADING = 'unified-trading';

export interface ExchangeSight {
  readonly orders: SeenOrders | null;
  readonly positions: readonly SeenPosition[] | null;
  readonly differences: readonly string[] | null;
  readonly equity: number | null;
  readonly problems: readonly string[];
}

export class ExchangeEyes {
  readonly #exchange: Exchange;
  readonly #mids = new Map<string, number>();
  readonly #reporting: string;
  readonly #tolerance: string;
  #instruments: Instruments | null = null;
  #valuation: Valuation | null = null;

  constructor(exchange: Exchange, reporting: string, balanceTolerance: string) {
    this.#exchange = exchange;
    this.#reporting = reporting;
    this.#tolerance = balanceTolerance;
  }

  async look(state: StateView | null): Promise<ExchangeSight> {
    const problems: string[] = [];
    await this.#prices(problems);
    const { orders, account } = this.#exchange;
    const [active, told, held] = await Promise.all([orders.active(), account.balances(), account.positions()]);
    const balances = believable(told, () => state?.explainsMoney(dec(this.#tolerance)) ?? false);
    for (const reading of [active, balances, held])
      if (reading.kind !== 'complete') problems.push(`the exchange cannot be read: ${reading.reason}`);
    const rows = balances.kind === 'complete' ? balances.items.filter((row) => row.account === TRADING) : null;
    const positions = held.kind === 'complete' ? held.items.map(signed) : null;
    // Without any price, valuations are skipped; quantities remain.
    const canValue = this.#valuation !== null && this.#mids.size > 0;
    return {
      orders: active.kind === 'complete' ? this.#ordersOf(active.items, canValue) : null,
      positions:
        !canValue || rows === null || positions === null || state === null
          ? null
          : this.#positionsOf(state, rows, positions),
      differences:
        active.kind !== 'complete' || rows === null || positions === null || state === null
          ? null
          : this.#differences(state, active.items, rows, positions),
      equity: !canValue || rows === null || positions === null ? null : this.#equityOf(rows, positions),
      problems,
    };
  }

  /** Debits of the trading account without a trade, reporting currency, or why unknown. */
  async movedOut(sinceMs: number): Promise<number | string> {
    const reading = await this.#exchange.money.transfers.transactions({ status: 'completed', from: sinceMs });
    if (reading.kind !== 'complete') return `movements of money cannot be read: ${reading.reason}`;
    const rows = reading.items.filter(({ account, type }) => account === TRADING && isMovement(type));
    let sum = 0;
    for (const { currency, amount } of rows) {
      const value = Number(amount) * (this.#valuation?.rate(currency) ?? Number.NaN);
      if (!Number.isNaN(value)) sum += value;
    }
    return sum;
  }

  async #prices(problems: string[]): Promise<void> {
    const { marketData } = this.#exchange;
    if (this.#instruments === null) {
      const [spot, derivative] = await Promise.all([marketData.spotInstruments(), marketData.derivativeInstruments()]);
      if (spot.kind === 'failed') problems.push(`instruments: ${spot.error.message}`);
      else if (derivative.kind === 'failed') problems.push(`instruments: ${derivative.error.message}`);
      else this.#know(new Instruments([...spot.value, ...derivative.value]));
    }
    const tickers = await marketData.tickers();
    if (tickers.kind === 'failed') problems.push(`prices: ${tickers.error.message}`);
    else if (tickers.value.length === 0) problems.push('prices: the exchange names none');
    else
      for (const { symbol, bid, ask, last } of tickers.value)
        this.#mids.set(symbol, bid > 0 && ask > 0 ? (bid + ask) / 2 : last);
  }

  #know(instruments: Instruments): void {
    this.#instruments = instruments;
    const mid = (symbol: string): number | undefined => this.#mids.get(symbol);
    this.#valuation = new Valuation(this.#reporting, instruments, {
      best: () => undefined,
      sweep: () => undefined,
      mid,
    });
  }

  /** Reporting value of a base quantity; NaN without a price. */
  #value(symbol: string, quantity: number, price: number | undefined = this.#mids.get(symbol)): number {
    const instrument = this.#instruments?.find(symbol);
    if (instrument === undefined || price === undefined) return Number.NaN;
    return quantity * price * instrument.contractValue * (this.#valuation?.rate(instrument.quote) ?? Number.NaN);
  }

  #ordersOf(items: readonly OrderReport[], canValue: boolean): SeenOrders {
    const notionals = new Map<string, number>();
    if (!canValue) return { count: items.length, notionals };
    for (const { symbol, price, quantity, filledQuantity } of items) {
      const left = Number(quantity) - Number(filledQuantity);
      const value = this.#value(symbol, left, price === null ? undefined : Number(price));
      notionals.set(symbol, (notionals.get(symbol) ?? 0) + value);
    }
    return { count: items.length, notionals };
  }

  /** Spot: the journal's positions with the balance. Perpetuals: as reported. */
  #positionsOf(
    state: StateView,
    balances: readonly Balance[],
    positions: readonly VenuePosition[],
  ): readonly SeenPosition[] {
    const seen: SeenPosition[] = [];
    const spot = new Map<string, { readonly base: string; quantity: number }>();
    for (const { instrument, position } of state.positions.all()) {
      if (instrument.market !== 'spot') continue;
      const known = spot.get(instrument.symbol) ?? { base: instrument.base, quantity: 0 };
      known.quantity += position.quantity.toNumber();
      spot.set(instrument.symbol, known);
    }
    for (const [symbol, { base, quantity }] of spot) {
      const total = balances.find(({ currency }) => currency === base)?.total ?? '0';
      const known = state.openedAt('balance', base) !== undefined;
      const unexplained = known ? dec(total).minus(state.explainedBalance(base)).toNumber() : 0;
      const held = quantity + unexplained;
      seen.push({ symbol, quantity: held, value: this.#value(symbol, held) });
    }
    for (const { symbol, quantity, markPrice } of positions) {
      const held = Number(quantity);
      seen.push({ symbol, quantity: held, value: this.#value(symbol, held, Number(markPrice)) });
    }
    return seen;
  }

  #differences(
    state: StateView,
    active: readonly OrderReport[],
    balances: readonly Balance[],
    positions: readonly VenuePosition[],
  ): readonly string[] {
    const found: string[] = [];
    for (const { currency, total } of balances) {
      // The journal has no opening of this currency.
      if (state.openedAt('balance', currency) === undefined) continue;
      const off = dec(total).minus(state.explainedBalance(currency));
      if (off.abs().gt(this.#tolerance)) found.push(`${decimalText(off)} ${currency} are not explained`);
    }
    const told = new Map<string, string>();
    for (const { symbol, positionSide, quantity } of positions) told.set(positionName(symbol, positionSide), quantity);
    const names = new Set(told.keys());
    for (const { instrument, positionSide } of state.positions.all())
      if (instrument.market === 'derivative') names.add(positionName(instrument.symbol, positionSide));
    for (const name of names) {
      const off = dec(told.get(name) ?? '0').minus(state.explainedPosition(name));
      if (!off.isZero()) found.push(`${decimalText(off)} of ${name} are not explained`);
    }
    return [...found, ...orderDifferences(state, active)];
  }

  #equityOf(balances: readonly Balance[], positions: readonly VenuePosition[]): number | null {
    const valuation = this.#valuation;
    if (valuation === null) return null;
    let equity = 0;
    for (const { currency, total } of balances) {
      const value = Number(total) * valuation.rate(currency);
      if (!Number.isNaN(value)) equity += value;
    }
    for (const { symbol, unrealizedPnl } of positions) {
      const settle = this.#instruments?.find(symbol)?.settle ?? '';
      const value = Number(unrealizedPnl) * valuation.rate(settle);
      if (!Number.isNaN(value)) equity += value;
    }
    return equity;
  }
}

function signed(position: VenuePosition): VenuePosition {
  return { ...position, quantity: decimalText(signedQuantity(position)) };
}

/** Orders known to the journal; external ones and those of earlier sessions do not count. */
function orderDifferences(state: StateView, active: readonly OrderReport[]): readonly string[] {
  const found: string[] = [];
  const standing = new Set<string>();
  for (const { orderId } of active) {
    standing.add(orderId);
    const order = state.orders.byOrderId(orderId);
    if (order !== undefined && isClosed(order.progress))
      found.push(`order ${orderId} is ${order.progress.state} in the journal and stands at the exchange`);
  }
  for (const { orderId, progress } of state.orders.allLive())
    if (orderId !== undefined && !isClosed(progress) && !standing.has(orderId))
      found.push(`order ${orderId} is ${progress.state} in the journal and does not stand at the exchange`);
  return found;
}
