/** The simulated venue's state from a paper journal (rule T6). An order without a journalled answer did not exist. */
import type { JournalRow } from '../model/journal.ts';
import type { MoneyRequest } from '../model/money-commands.ts';
import { type Decimal, dec, decimalText, ZERO, greater } from '../model/money.ts';
import type { VenueFill } from '../model/fill.ts';
import type { OrderReport, PositionSide, Side } from '../model/order.ts';
import { Position } from '../model/position.ts';
import type { RestoredPosition } from '../simulation/restored-position.ts';
import type { AcceptedRequest } from '../simulation/money.ts';
import type { VenueState } from '../simulation/venue-state.ts';
import { tradingFlowOf } from '../spine/money/kinds.ts';
import type { Balance } from '../model/account.ts';

/** Start balances, `{currency, amount}`, and funding, `SideFunding`. */
export const GRANT_RECORD = 'grant';
export const FUNDING_RECORD = 'funding';

/** Signed, settlement currency. */
export interface SideFunding {
  readonly currency: string;
  readonly amount: string;
  readonly symbol: string;
  readonly positionSide: PositionSide;
  /** Unix ms, exchange clock. */
  readonly ts: number;
}

export interface SymbolFacts {
  readonly base: string;
  /** Settlement currency of a derivative. */
  readonly quote: string;
  readonly contractSize: Decimal;
  readonly takerFee: (side: Side, price: Decimal, quantity: Decimal) => { currency: string; amount: Decimal };
}

export type FactsOf = (symbol: string) => SymbolFacts;

const PRICE_PLACES = 12;

const CLOSED = new Set<OrderReport['status']>(['filled', 'canceled', 'rejected', 'expired']);

interface Holding {
  readonly symbol: string;
  readonly positionSide: PositionSide;
  readonly position: Position;
  /** In its isolated margin. */
  funding: Decimal;
  updatedAt: number;
}

class Rebuilt {
  readonly orders = new Map<string, OrderReport>();
  readonly fills = new Map<string, VenueFill>();
  readonly totals = new Map<string, Decimal>();
  /** In order of time. */
  readonly fundings: SideFunding[] = [];
  /** Of money, in order. */
  readonly accepted: AcceptedRequest[] = [];
  readonly #asked = new Map<string, MoneyRequest>();

  report(order: OrderReport): void {
    const before = this.orders.get(order.orderId);
    if (before !== undefined && CLOSED.has(before.status)) return;
    this.orders.set(order.orderId, order);
  }

  money({ ts, entry }: JournalRow): void {
    if (entry.kind === 'money-intent') this.#asked.set(entry.intentId, entry.request);
    const isDone =
      (entry.kind === 'money-outcome' && entry.outcome.kind === 'accepted') ||
      (entry.kind === 'money-resolved' && entry.verdict === 'happened');
    const request = isDone ? this.#asked.get(entry.intentId) : undefined;
    if (request === undefined) return;
    this.accepted.push({ request, ts });
    const flow = tradingFlowOf(request);
    if (flow !== null) this.add(flow.currency, flow.amount);
  }

  add(currency: string, amount: Decimal): void {
    this.totals.set(currency, (this.totals.get(currency) ?? ZERO).plus(amount));
  }
}

function amountOf(data: unknown): { readonly currency: string; readonly amount: string } | null {
  if (typeof data !== 'object' || data === null) return null;
  const { currency, amount } = data as { currency?: unknown; amount?: unknown };
  return typeof currency === 'string' && typeof amount === 'string' ? { ...data, currency, amount } : null;
}

function isOfSide(flow: object): flow is SideFunding {
  return 'symbol' in flow && 'positionSide' in flow && 'ts' in flow;
}

function collect(rows: Iterable<JournalRow>): Rebuilt {
  const rebuilt = new Rebuilt();
  for (const row of rows) {
    const { entry } = row;
    rebuilt.money(row);
    if (entry.kind === 'fill') rebuilt.fills.set(`${entry.fill.symbol}/${entry.fill.tradeId}`, entry.fill);
    // A liquidation has no own order; its fill is split by strategy.
    else if (entry.kind === 'liquidation')
      rebuilt.fills.set(`${entry.fill.symbol}/${entry.fill.tradeId}/${entry.strategy}`, entry.fill);
    else if (entry.kind === 'order') rebuilt.report(entry.report);
    else if (entry.kind === 'outcome' && entry.outcome.kind === 'accepted' && entry.outcome.order !== undefined) {
      rebuilt.report(entry.outcome.order);
    } else if (entry.kind === 'record' && (entry.name === GRANT_RECORD || entry.name === FUNDING_RECORD)) {
      const flow = amountOf(entry.data);
      if (flow !== null) rebuilt.add(flow.currency, dec(flow.amount));
      if (flow !== null && isOfSide(flow)) rebuilt.fundings.push(flow);
    }
  }
  return rebuilt;
}

type FillsOf = ReadonlyMap<string, readonly VenueFill[]>;

const NO_FILLS: readonly VenueFill[] = [];

/** What no journalled fill covers, at the remaining price. */
function missingFill(order: OrderReport, fills: FillsOf, factsOf: FactsOf): VenueFill | undefined {
  let quantity = dec(order.filledQuantity);
  if (quantity.isZero()) return undefined;
  let value = quantity.times(order.averagePrice ?? '0');
  for (const fill of fills.get(order.orderId) ?? NO_FILLS) {
    quantity = quantity.minus(fill.quantity);
    value = value.minus(dec(fill.price).times(fill.quantity));
  }
  if (!quantity.isPositive() || quantity.isZero()) return undefined;
  const price = value.div(quantity).toDecimalPlaces(PRICE_PLACES, 'down');
  const fee = factsOf(order.symbol).takerFee(order.side, price, quantity);
  return {
    tradeId: `sim-r-${order.orderId}-${order.filledQuantity}`,
    orderId: order.orderId,
    symbol: order.symbol,
    market: order.market,
    side: order.side,
    price: decimalText(price),
    quantity: decimalText(quantity),
    liquidity: 'taker',
    fee: decimalText(fee.amount),
    feeCurrency: fee.currency,
    ...(order.positionSide === undefined ? {} : { positionSide: order.positionSide }),
    ts: order.updatedAt,
  };
}

function settle(rebuilt: Rebuilt, fill: VenueFill, holdings: Map<string, Holding>, factsOf: FactsOf): void {
  const price = dec(fill.price);
  const quantity = dec(fill.quantity);
  rebuilt.add(fill.feeCurrency, dec(fill.fee).neg());
  const money = factsOf(fill.symbol);
  if (fill.market === 'derivative') {
    const { symbol, positionSide = 'both' } = fill;
    const key = `${symbol}/${positionSide}`;
    const holding = holdings.get(key) ?? newHolding(symbol, positionSide);
    holdings.set(key, holding);
    const before = holding.position.quantity;
    const profit = holding.position.apply(fill.side, price, quantity).times(money.contractSize);
    holding.funding = remaining(holding.funding, before, holding.position.quantity);
    holding.updatedAt = fill.ts;
    rebuilt.add(money.quote, fill.realizedPnl === undefined ? profit : dec(fill.realizedPnl));
    return;
  }
  const sign = fill.side === 'buy' ? 1 : -1;
  rebuilt.add(money.base, quantity.times(sign));
  rebuilt.add(money.quote, price.times(quantity).times(-sign));
}

function newHolding(symbol: string, positionSide: PositionSide): Holding {
  return { symbol, positionSide, position: new Position(), funding: ZERO, updatedAt: 0 };
}

/** A close returns margin and funding in proportion. */
function remaining(funding: Decimal, before: Decimal, after: Decimal): Decimal {
  if (funding.isZero() || !before.times(after).gt(ZERO)) return ZERO;
  return after.abs().lt(before.abs()) ? funding.times(after).div(before) : funding;
}

/** `to`: Unix ms. */
function fund({ fundings }: Rebuilt, to: number, holdings: ReadonlyMap<string, Holding>): void {
  while (fundings.length > 0 && fundings[0]!.ts <= to) {
    const { symbol, positionSide, amount } = fundings.shift()!;
    const holding = holdings.get(`${symbol}/${positionSide}`);
    if (holding !== undefined) holding.funding = holding.funding.plus(amount);
  }
}

/** Takes the filled quantity from the journalled fills. */
function corrected(order: OrderReport, fills: FillsOf): OrderReport {
  const own = fills.get(order.orderId) ?? NO_FILLS;
  const filled = own.reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
  const value = own.reduce((sum, { price, quantity }) => sum.plus(dec(price).times(quantity)), ZERO);
  const whole = filled.gte(order.quantity);
  const open = filled.isZero() ? ('new' as const) : ('partially_filled' as const);
  return {
    ...order,
    filledQuantity: decimalText(filled),
    averagePrice: filled.isZero() ? null : decimalText(value.div(filled).toDecimalPlaces(18)),
    status: whole ? 'filled' : CLOSED.has(order.status) ? order.status : open,
  };
}

/** Only side, quantity, entry and profit; the rest is configuration. */
function positionOf(holding: Holding, contractSize: Decimal): RestoredPosition {
  const { symbol, positionSide, position, funding, updatedAt } = holding;
  const entry = position.entryPrice ?? ZERO;
  return {
    symbol,
    positionSide,
    quantity: decimalText(position.quantity),
    entryPrice: decimalText(entry),
    markPrice: decimalText(entry),
    leverage: '1',
    marginType: 'cross',
    margin: decimalText(position.cost.abs()),
    liquidationPrice: null,
    unrealizedPnl: '0',
    realizedPnl: decimalText(position.realized.times(contractSize)),
    funding: decimalText(funding.toDecimalPlaces(18, 'down')),
    updatedAt,
  };
}

/** Null without a start balance. */
export function venueStateOf(rows: Iterable<JournalRow>, factsOf: FactsOf): VenueState | null {
  const rebuilt = collect(rows);
  if (rebuilt.totals.size === 0 && rebuilt.accepted.length === 0) return null;
  const told = [...rebuilt.fills.values()];
  const toldOf = Map.groupBy(told, ({ orderId }) => orderId);
  const missing = [...rebuilt.orders.values()].flatMap((order) => missingFill(order, toldOf, factsOf) ?? []);
  const fills = [...told, ...missing];
  const fillsOf = Map.groupBy(fills, ({ orderId }) => orderId);
  const holdings = new Map<string, Holding>();
  for (const fill of fills) {
    fund(rebuilt, fill.ts, holdings);
    settle(rebuilt, fill, holdings, factsOf);
  }
  fund(rebuilt, Infinity, holdings);
  const balances: Balance[] = [...rebuilt.totals].map(([currency, sum]) => {
    // Borne by the insurance fund.
    const total = decimalText(greater(sum, ZERO));
    return { account: 'unified-trading', currency, available: total, locked: '0', total };
  });
  return {
    orders: [...rebuilt.orders.values()].map((order) => corrected(order, fillsOf)),
    fills,
    balances,
    accepted: rebuilt.accepted,
    positions: [...holdings.values()]
      .filter(({ position }) => !position.quantity.isZero())
      .map((holding) => positionOf(holding, factsOf(holding.symbol).contractSize)),
  };
}
