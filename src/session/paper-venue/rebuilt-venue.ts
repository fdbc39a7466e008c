/**
 * The simulated venue of a paper session, row by row of its journal (rule T6). An order without a journalled answer did
 * not exist. Of closed and booked orders and their fills only the newest are kept, because nothing can query the
 * others.
 */
import type { Balance } from '../../model/trading/account.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { JournalRow } from '../../model/entries/journal.ts';
import type { MoneyRequest } from '../../model/funds/money-commands.ts';
import { type Decimal, dec, decimalText, greater, ZERO } from '../../model/numbers/money.ts';
import type { OrderReport, PositionSide } from '../../model/trading/order.ts';
import { Position } from '../../model/trading/position.ts';
import type { AcceptedRequest } from '../../simulation/money/money.ts';
import type { RestoredPosition } from '../../simulation/money/restored-position.ts';
import type { VenueState } from '../../simulation/venue/venue-state.ts';
import { tradingFlowOf } from '../../spine/money/kinds.ts';
import type { FactsOf } from './symbol-facts.ts';
import { FUNDING_RECORD, GRANT_RECORD, type SideFunding } from './venue-records.ts';

const KEPT = 2_000;

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

interface Known {
  /** Null for a liquidation: only its fills are published. */
  report: OrderReport | null;
  /** By its fills. */
  quantity: Decimal;
  value: Decimal;
}

type Amounts = readonly (readonly [name: string, ...amounts: readonly string[]])[];

/** Plain data; amounts as text. */
export interface SavedVenue {
  readonly totals: Amounts;
  readonly holdings: readonly {
    readonly symbol: string;
    readonly positionSide: PositionSide;
    readonly amounts: readonly [quantity: string, cost: string, realized: string, funding: string];
    readonly updatedAt: number;
  }[];
  readonly fundings: readonly SideFunding[];
  readonly accepted: readonly AcceptedRequest[];
  readonly asked: readonly (readonly [intentId: string, request: MoneyRequest])[];
  readonly orders: readonly {
    readonly orderId: string;
    readonly report: OrderReport | null;
    readonly amounts: readonly [quantity: string, value: string];
  }[];
  readonly fills: readonly VenueFill[];
}

export class RebuiltVenue {
  readonly #factsOf: FactsOf;
  readonly #totals = new Map<string, Decimal>();
  readonly #holdings = new Map<string, Holding>();
  /** Not in a position yet, in order of time. */
  readonly #fundings: SideFunding[] = [];
  /** Of money, in order. */
  readonly #accepted: AcceptedRequest[] = [];
  readonly #asked = new Map<string, MoneyRequest>();
  /** In order of creation. */
  readonly #orders = new Map<string, Known>();
  #sweepAt: number;
  #fills: VenueFill[] = [];
  readonly #kept: number;

  /** `kept`: orders, and fills, that are over. */
  constructor(factsOf: FactsOf, kept = KEPT) {
    this.#factsOf = factsOf;
    this.#kept = kept;
    this.#sweepAt = 2 * kept;
  }

  static of(rows: Iterable<JournalRow>, factsOf: FactsOf): RebuiltVenue {
    const venue = new RebuiltVenue(factsOf);
    for (const row of rows) venue.row(row);
    return venue;
  }

  row({ ts, entry }: JournalRow): void {
    switch (entry.kind) {
      case 'fill':
      // A liquidation has no own order; its fill is split by strategy.
      case 'liquidation':
        this.#filled(entry.fill);
        return;
      case 'order':
        this.#reported(entry.report);
        return;
      case 'outcome':
        if (entry.outcome.kind === 'accepted' && entry.outcome.order !== undefined) this.#reported(entry.outcome.order);
        return;
      case 'money-intent':
        this.#asked.set(entry.intentId, entry.request);
        return;
      case 'money-outcome':
        if (entry.outcome.kind !== 'unknown') this.#decided(entry.intentId, entry.outcome.kind === 'accepted', ts);
        return;
      case 'money-resolved':
        this.#decided(entry.intentId, entry.verdict === 'happened', ts);
        return;
      case 'record': {
        const flow = entry.name === GRANT_RECORD || entry.name === FUNDING_RECORD ? flowIn(entry.data) : null;
        if (flow === null) return;
        this.#add(flow.currency, dec(flow.amount));
        if (isOfSide(flow)) this.#fundings.push(flow);
      }
    }
  }

  /** Null without a start balance. */
  state(): VenueState | null {
    if (this.#totals.size === 0 && this.#accepted.length === 0) return null;
    // A copy, because fills that are not journalled yet may still be published.
    const whole = new RebuiltVenue(this.#factsOf, Infinity);
    whole.load(this.saved());
    whole.#complete();
    return whole.#told();
  }

  saved(): SavedVenue {
    return {
      totals: [...this.#totals].map(([currency, sum]) => [currency, decimalText(sum)]),
      holdings: [...this.#holdings.values()].map(({ symbol, positionSide, position, funding, updatedAt }) => {
        const { quantity, cost, realized } = position;
        const [held, paid, won, funded] = [quantity, cost, realized, funding].map(decimalText);
        return { symbol, positionSide, amounts: [held!, paid!, won!, funded!], updatedAt };
      }),
      fundings: this.#fundings,
      accepted: this.#accepted,
      asked: [...this.#asked],
      orders: [...this.#orders].map(([orderId, { report, quantity, value }]) => {
        return { orderId, report, amounts: [decimalText(quantity), decimalText(value)] };
      }),
      fills: this.#fills,
    };
  }

  /** Into an empty one. */
  load({ totals, holdings, fundings, accepted, asked, orders, fills }: SavedVenue): void {
    for (const [currency, sum] of totals) this.#totals.set(currency, dec(sum!));
    for (const { symbol, positionSide, amounts, updatedAt } of holdings) {
      const holding = this.#holdingOf(symbol, positionSide);
      const [quantity, cost, realized, funding] = amounts.map(dec);
      Object.assign(holding.position, { quantity, cost, realized });
      Object.assign(holding, { funding, updatedAt });
    }
    this.#fundings.push(...fundings);
    this.#accepted.push(...accepted);
    for (const [intentId, request] of asked) this.#asked.set(intentId, request);
    for (const { orderId, report, amounts } of orders) {
      const [quantity, value] = amounts;
      this.#orders.set(orderId, { report, quantity: dec(quantity), value: dec(value) });
    }
    this.#fills = [...fills];
  }

  #add(currency: string, amount: Decimal): void {
    this.#totals.set(currency, (this.#totals.get(currency) ?? ZERO).plus(amount));
  }

  #decided(intentId: string, hasHappened: boolean, ts: number): void {
    const request = this.#asked.get(intentId);
    this.#asked.delete(intentId);
    if (request === undefined || !hasHappened) return;
    this.#accepted.push({ request, ts });
    const flow = tradingFlowOf(request);
    if (flow !== null) this.#add(flow.currency, flow.amount);
  }

  #reported(report: OrderReport): void {
    const known = this.#knownOf(report.orderId);
    if (known.report === null || !CLOSED.has(known.report.status)) known.report = report;
  }

  #knownOf(orderId: string): Known {
    let known = this.#orders.get(orderId);
    if (known === undefined) {
      this.#orders.set(orderId, (known = { report: null, quantity: ZERO, value: ZERO }));
      if (this.#orders.size > this.#sweepAt) this.#sweep();
    }
    return known;
  }

  /** Forgets the oldest closed orders whose fills are all published. */
  #sweep(): void {
    let left = this.#orders.size - this.#kept;
    for (const [orderId, { report, quantity }] of this.#orders) {
      if (left-- <= 0) break;
      if (report === null || (CLOSED.has(report.status) && quantity.gte(report.filledQuantity)))
        this.#orders.delete(orderId);
    }
    this.#sweepAt = this.#orders.size + this.#kept;
  }

  #filled(fill: VenueFill): void {
    const known = this.#knownOf(fill.orderId);
    const [price, quantity] = [dec(fill.price), dec(fill.quantity)];
    known.quantity = known.quantity.plus(quantity);
    known.value = known.value.plus(price.times(quantity));
    this.#fills.push(fill);
    if (this.#fills.length >= 2 * this.#kept) this.#fills = this.#fills.slice(-this.#kept);
    this.#fund(fill.ts);
    this.#settle(fill, price, quantity);
  }

  #settle(fill: VenueFill, price: Decimal, quantity: Decimal): void {
    this.#add(fill.feeCurrency, dec(fill.fee).neg());
    const money = this.#factsOf(fill.symbol);
    if (fill.market === 'derivative') {
      const holding = this.#holdingOf(fill.symbol, fill.positionSide ?? 'both');
      const before = holding.position.quantity;
      const profit = holding.position.apply(fill.side, price, quantity).times(money.contractSize);
      holding.funding = remaining(holding.funding, before, holding.position.quantity);
      holding.updatedAt = fill.ts;
      this.#add(money.quote, fill.realizedPnl === undefined ? profit : dec(fill.realizedPnl));
      return;
    }
    const sign = fill.side === 'buy' ? 1 : -1;
    this.#add(money.base, quantity.times(sign));
    this.#add(money.quote, price.times(quantity).times(-sign));
  }

  #holdingOf(symbol: string, positionSide: PositionSide): Holding {
    const key = `${symbol}/${positionSide}`;
    let holding = this.#holdings.get(key);
    if (holding === undefined) {
      holding = { symbol, positionSide, position: new Position(), funding: ZERO, updatedAt: 0 };
      this.#holdings.set(key, holding);
    }
    return holding;
  }

  /** `to`: Unix ms. */
  #fund(to: number): void {
    while (this.#fundings.length > 0 && this.#fundings[0]!.ts <= to) {
      const { symbol, positionSide, amount } = this.#fundings.shift()!;
      const holding = this.#holdings.get(`${symbol}/${positionSide}`);
      if (holding !== undefined) holding.funding = holding.funding.plus(amount);
    }
  }

  /** Adds what no journalled fill covers, at the remaining price, and the funding that is left. */
  #complete(): void {
    for (const { report, quantity, value } of this.#orders.values()) {
      const left = report === null ? ZERO : dec(report.filledQuantity).minus(quantity);
      if (report === null || left.isZero() || !left.isPositive()) continue;
      const price = dec(report.filledQuantity)
        .times(report.averagePrice ?? '0')
        .minus(value)
        .div(left)
        .toDecimalPlaces(PRICE_PLACES, 'down');
      const { orderId, symbol, market, side, positionSide } = report;
      const fee = this.#factsOf(symbol).takerFee(side, price, left);
      this.#filled({
        tradeId: `sim-r-${orderId}-${report.filledQuantity}`,
        orderId,
        symbol,
        market,
        side,
        price: decimalText(price),
        quantity: decimalText(left),
        liquidity: 'taker',
        fee: decimalText(fee.amount),
        feeCurrency: fee.currency,
        ...(positionSide === undefined ? {} : { positionSide }),
        ts: report.updatedAt,
      });
    }
    this.#fund(Infinity);
  }

  #told(): VenueState {
    const balances: Balance[] = [...this.#totals].map(([currency, sum]) => {
      // Borne by the insurance fund.
      const total = decimalText(greater(sum, ZERO));
      return { account: 'unified-trading', currency, available: total, locked: '0', total };
    });
    return {
      orders: [...this.#orders.values()].flatMap(correctedOf),
      fills: this.#fills,
      balances,
      accepted: this.#accepted,
      positions: [...this.#holdings.values()]
        .filter(({ position }) => !position.quantity.isZero())
        .map((holding) => positionOf(holding, this.#factsOf(holding.symbol).contractSize)),
    };
  }
}

function flowIn(data: unknown): { readonly currency: string; readonly amount: string } | null {
  if (typeof data !== 'object' || data === null) return null;
  const { currency, amount } = data as { currency?: unknown; amount?: unknown };
  return typeof currency === 'string' && typeof amount === 'string' ? { ...data, currency, amount } : null;
}

function isOfSide(flow: object): flow is SideFunding {
  return 'symbol' in flow && 'positionSide' in flow && 'ts' in flow;
}

/** A close returns margin and funding in proportion. */
function remaining(funding: Decimal, before: Decimal, after: Decimal): Decimal {
  if (funding.isZero() || !before.times(after).gt(ZERO)) return ZERO;
  return after.abs().lt(before.abs()) ? funding.times(after).div(before) : funding;
}

/** Takes the filled quantity from the fills. */
function correctedOf({ report, quantity, value }: Known): readonly OrderReport[] {
  if (report === null) return [];
  const open = quantity.isZero() ? ('new' as const) : ('partially_filled' as const);
  return [
    {
      ...report,
      filledQuantity: decimalText(quantity),
      averagePrice: quantity.isZero() ? null : decimalText(value.div(quantity).toDecimalPlaces(18)),
      status: quantity.gte(report.quantity) ? 'filled' : CLOSED.has(report.status) ? report.status : open,
    },
  ];
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
