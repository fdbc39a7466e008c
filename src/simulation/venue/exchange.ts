/**
 * The simulated exchange as a state machine: orders, money and history of one account. Time is an argument; events are
 * collected until taken. No balance is negative, every asset sums to zero.
 */
import { MarginAccount } from '../../clearing/perpetual/margin-account.ts';
import { simulationRules } from '../../clearing/perpetual/rules.ts';
import type { BookSyncOptions } from '../../model/book/book-sync.ts';
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { Liquidity, OrderRequest, VenueOrderStatus } from '../../model/trading/order.ts';
import type { ArmedStop } from '../../model/trading/program.ts';
import type { Outcome } from '../../model/result.ts';
import type { ExitOnBars, VenueEvent } from '../../model/venue.ts';
import { admit, closes, refused, refusedBy } from './admission.ts';
import { feeRates } from '../../clearing/fees.ts';
import type { SimulationOptions } from '../options.ts';
import { fillOf, newRecord, reportOf, type OrderRecord } from './order-record.ts';
import { BarInstant } from './bar-instant.ts';
import { News } from './news.ts';
import { Observed } from './observed.ts';
import type { AccountTotals, VenueObserver } from './observer.ts';
import { OrderStore } from './order-store.ts';
import { PerpetualMoves } from '../money/perpetual-moves.ts';
import { perpetualTerms } from '../money/perpetual-options.ts';
import { Purse } from '../money/purse.ts';
import { closeUsOf } from '../matching/running-bar.ts';
import { StartGrants } from '../money/start-grants.ts';
import { restoreState, type VenueState } from './venue-state.ts';
import type { ChangingFees } from '../stress/changing-fees.ts';
import type { SymbolVenue } from './symbol-venue.ts';
import { SymbolVenues } from './symbol-venues.ts';
import type { Happening, MatchListener, WorkingOrder } from '../matching/working-order.ts';

const ORDER_ID = 'sim-';

export interface ExchangeDeps {
  readonly instruments: Instruments;
  readonly options: SimulationOptions;
  /** Absent: those of the options. */
  readonly rates?: ChangingFees;
  /** Empty: the defaults. */
  readonly start: Readonly<Record<string, string>>;
  readonly traded?: readonly Instrument[];
  readonly sync: (symbol: string) => BookSyncOptions;
  readonly observer?: VenueObserver;
  readonly historyMax?: number;
  /** Absent: no program works here. */
  readonly stops?: (symbol: string) => readonly ArmedStop[];
}

export class SimulatedExchange {
  readonly store: OrderStore;
  readonly purse = new Purse();
  readonly #deps: ExchangeDeps;
  readonly margin: MarginAccount<OrderRecord>;
  readonly #moves: PerpetualMoves;
  readonly #changing: ChangingFees | null;
  readonly #grants: StartGrants;
  readonly #observed: Observed;
  readonly #instant: BarInstant;
  readonly #symbols: SymbolVenues;
  #justGranted = false;
  #lookedChanges = -1;
  #orders = 0;
  #trades = 0;
  readonly #news = new News(this.purse);

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
    this.store = new OrderStore(deps.historyMax);
    const { fees, perpetuals } = deps.options;
    this.#changing = deps.rates ?? null;
    this.margin = new MarginAccount(this.purse.wallet, simulationRules(dec(perpetuals.liquidationFee)));
    this.margin.mode = perpetuals.mode;
    this.#moves = new PerpetualMoves({
      margin: this.margin,
      store: this.store,
      observer: deps.observer,
      news: this.#news,
      cancel: (record, us, reason) => this.#cancel(record, us, reason),
      nextOrderId: () => `${ORDER_ID}${++this.#orders}`,
      nextTradeId: () => `sim-t${++this.#trades}`,
      filled: (fill, us) => {
        const symbol = this.#symbols.known(fill.symbol);
        if (symbol === undefined) return;
        this.#news.moved.add(symbol);
        this.#observed.mid(symbol, us);
      },
    });
    this.#observed = new Observed(deps.observer, this.purse);
    this.#instant = new BarInstant({
      isShared: () => this.margin.isShared,
      liquidate: (us) => this.#moves.liquidate(us),
      look: (symbol, us) => this.#look(symbol, us),
      together: (isOn) => deps.observer?.together?.(isOn),
    });
    this.#grants = new StartGrants(this.purse, deps.start, deps.traded ?? []);
    const listener: MatchListener = {
      filled: (order, ticks, lots, liquidity, us) => this.#filled(order, ticks, lots, liquidity, us),
      expired: (order, us, reason) => this.#expired(order, us, reason),
      covers: (order, ticks, lots) => this.#covers(order, ticks, lots),
    };
    this.#symbols = new SymbolVenues({
      instruments: deps.instruments,
      options: deps.options,
      purse: this.purse,
      margin: this.margin,
      rates: deps.rates ?? feeRates(fees),
      listener,
      sync: deps.sync,
      stops: deps.stops ?? (() => []),
      marks: {
        isSafeAt: (mark) => this.margin.isShared || this.margin.isSafeBetween(mark, mark),
        liquidate: (us) => this.#moves.liquidate(us),
      },
    });
  }

  /** Not when restored. */
  open(): void {
    for (const grant of this.#grants.open()) this.#deps.observer?.granted(grant);
  }

  restore(state: VenueState, us: number): void {
    const ids = restoreState(state, us, {
      store: this.store,
      purse: this.purse,
      instruments: this.#deps.instruments,
      symbolOf: (instrument) => this.#symbols.of(instrument),
    });
    this.#orders = ids.orders;
    this.#trades = ids.trades;
    this.#grants.skip(state.balances);
    this.purse.takeChanged();
  }

  /** `decidedUs`: receive-time clock. */
  create(request: OrderRequest, us: number, decidedUs = us, onBars?: ExitOnBars): Outcome {
    this.#instant.end();
    this.#changing?.advance(us);
    const isKnown = this.store.knowsClientId(request.clientOrderId);
    const admitted = admit(request, this.#deps.instruments, this.margin.mode, isKnown);
    if (admitted.kind === 'refused') return admitted;
    const symbol = this.#symbols.of(admitted.instrument);
    this.#fund(symbol, us);
    this.#moves.makeUp();
    const record = newRecord(`${ORDER_ID}${this.#orders + 1}`, request, admitted, us);
    const refusal = this.#refuse(symbol, record);
    if (refusal !== null) return refusal;
    this.#orders++;
    this.store.add(record);
    this.#news.changed(record);
    symbol.engine.submit(record.working, us, decidedUs, onBars);
    this.#moves.liquidate(us);
    this.#observed.money();
    return { kind: 'accepted', order: reportOf(record) };
  }

  cancel(orderId: string, us: number): Outcome {
    const record = this.store.open(orderId);
    if (record === undefined) {
      return this.#hasGiven(orderId)
        ? refused('order_closed', `order ${orderId} is closed`)
        : refused('unknown_order', `there is no order ${orderId}`);
    }
    this.#cancel(record, us);
    return { kind: 'accepted', order: reportOf(record), canceled: [orderId] };
  }

  /** Ids count up. */
  #hasGiven(orderId: string): boolean {
    return orderId.startsWith(ORDER_ID) && Number(orderId.slice(ORDER_ID.length)) <= this.#orders;
  }

  cancelMany(orderIds: readonly string[], us: number): Outcome {
    const canceled = orderIds.filter((orderId) => {
      const record = this.store.open(orderId);
      if (record !== undefined) this.#cancel(record, us);
      return record !== undefined;
    });
    return { kind: 'accepted', canceled };
  }

  /** Announces cancels in flight, which may arrive before the bar opens. */
  cancelsComing(orderIds: readonly string[], arrivesUs: number, decidedUs: number): void {
    for (const orderId of orderIds) {
      const record = this.store.open(orderId);
      if (record === undefined) continue;
      this.#symbols.of(record.instrument).engine.cancelComing?.(record.working, arrivesUs, decidedUs);
    }
  }

  /** Time after which `tradeOpen` must be called, µs, or `Infinity`. */
  openDueUs(instrument: Instrument): number {
    return this.#symbols.of(instrument).engine.openDueUs ?? Infinity;
  }

  /** Trades open orders at the open. Returns as `onMarket`. */
  tradeOpen(instrument: Instrument, us: number): boolean {
    this.#instant.end();
    this.#changing?.advance(us);
    this.#symbols.of(instrument).engine.tradeOpen?.(us);
    this.#moves.liquidate(us);
    this.#observed.money();
    return !this.#news.isEmpty;
  }

  /** Applies one market event; true when `takeEvents` has something. */
  onMarket(event: Happening): boolean {
    const symbol = this.#symbols.of(event.instrument);
    this.#changing?.advance(event.exchangeUs);
    if (event.kind === 'funding') symbol.onMarket(event);
    this.#symbols.heard(event);
    const isTogether = this.#instant.takes(symbol, event, this.#symbols.areSeveral);
    // At the mark before the event; a close counts at the bar's end.
    const isClose = event.kind === 'candle' && event.closed;
    this.#fund(symbol, isClose ? closeUsOf(event) - 1 : event.exchangeUs);
    if (event.kind !== 'funding') symbol.onMarket(event);
    if (isClose) this.#fund(symbol, event.exchangeUs);
    if (isTogether) return !this.#news.isEmpty;
    if (this.#isAsBefore(symbol, event)) return this.purse.hasChanged;
    this.#look(symbol, event.exchangeUs);
    return !this.#news.isEmpty;
  }

  /** Exchange time of the bars whose last has not come, or NaN: `endInstant` must be called once it has. */
  get instantUs(): number {
    return this.#instant.us;
  }

  /** Returns as `onMarket`. */
  endInstant(): boolean {
    this.#instant.end();
    return !this.#news.isEmpty;
  }

  #fund(symbol: SymbolVenue, us: number): void {
    if (symbol.mayFund(us) && this.#moves.fund(symbol, us)) this.#news.moved.add(symbol);
  }

  /** Nothing is due or observed without a changed mark, money or order. */
  #isAsBefore(symbol: SymbolVenue, event: Happening): boolean {
    return (
      symbol.engine.midHalfTicks === symbol.lookedHalfTicks &&
      this.purse.changes === this.#lookedChanges &&
      !this.#news.hasOrders &&
      event.kind !== 'mark' &&
      symbol.granted
    );
  }

  symbolVenue(instrument: Instrument): SymbolVenue {
    return this.#symbols.of(instrument);
  }

  /** At an unchanged mid no event of the book does anything. */
  isQuiet(symbol: SymbolVenue): boolean {
    return (
      symbol.granted &&
      symbol.engine.midHalfTicks === symbol.lookedHalfTicks &&
      this.purse.changes === this.#lookedChanges &&
      this.#news.isEmpty &&
      !this.margin.books.some(({ isShort }) => isShort)
    );
  }

  /** As `onMarket` where a changed mid is all there is: `isQuiet` before, and within `safeMids`. */
  passed(symbol: SymbolVenue, us: number): void {
    symbol.lookedHalfTicks = symbol.engine.midHalfTicks;
    this.#observed.mark(symbol, us);
    this.#observed.mid(symbol, us);
  }

  #look(symbol: SymbolVenue, us: number): void {
    symbol.lookedHalfTicks = symbol.engine.midHalfTicks;
    // Before liquidation: its moves are observed with the next event.
    this.#lookedChanges = this.purse.changes;
    this.#moves.liquidate(us);
    if (!symbol.granted) this.#grant(symbol);
    this.#observed.mark(symbol, us);
    this.#observed.money();
    this.#observed.mid(symbol, us);
  }

  /** Appended to the answers. */
  takeEvents(answers: VenueEvent[] = []): VenueEvent[] {
    return this.#news.take(answers);
  }

  /** Whether the last event brought a start balance, published without latency. */
  takeGranted(): boolean {
    const granted = this.#justGranted;
    this.#justGranted = false;
    return granted;
  }

  account(): AccountTotals {
    this.#instant.end();
    const totals = this.purse.totalTexts();
    const positions = this.#symbols.all().flatMap(({ perpetual }) => perpetual?.held() ?? []);
    return { totals, positions };
  }

  /** Risk needs a leverage other than 1 before the first position. */
  settings(): VenueState['positions'] {
    const { instruments, options } = this.#deps;
    const differs = (instrument: Instrument): boolean =>
      instrument.market === 'derivative' && perpetualTerms(options.perpetuals, instrument.symbol).leverage !== 1;
    return instruments
      .all()
      .filter(differs)
      .flatMap((instrument) => this.#symbols.of(instrument).handler.positions());
  }

  positions(): VenueState['positions'] {
    const all = this.#symbols.all().flatMap((symbol) => symbol.handler.positions());
    return all.filter((position) => position.quantity !== '0').map((position) => position.copy());
  }

  symbolsOf(orderIds: readonly string[]): ReadonlySet<string> {
    return new Set(orderIds.flatMap((orderId) => this.store.open(orderId)?.request.symbol ?? []));
  }

  #refuse(symbol: SymbolVenue, record: OrderRecord): Outcome | null {
    const { request, instrument } = record;
    const mid = request.type === 'market' && !closes(request) ? symbol.mid : null;
    if (mid !== null && mid.times(instrument.exactQuantity(record.lots)).lt(instrument.minNotional)) {
      return refused(
        'below_minimum',
        `${request.quantity} is worth less than ${instrument.spec.minNotional}`,
        'quantity',
      );
    }
    const doubt = symbol.handler.admit(record, symbol.walkOf(record));
    return doubt === undefined ? null : refusedBy(doubt);
  }

  #cancel(record: OrderRecord, us: number, reason?: string): void {
    this.#symbols.of(record.instrument).engine.cancel(record.working);
    this.#close(record, 'canceled', us, reason);
  }

  #close(record: OrderRecord, status: VenueOrderStatus, us: number, reason?: string): void {
    record.status = status;
    record.updatedUs = us;
    record.reason = reason;
    this.#symbols.of(record.instrument).handler.release(record);
    this.store.close(record);
    this.#news.changed(record);
  }

  #filled(order: WorkingOrder, ticks: number, lots: number, liquidity: Liquidity, us: number): void {
    const record = this.store.open(order.id)!;
    const { instrument } = record;
    const symbol = this.#symbols.of(instrument);
    const price = instrument.exactPrice(ticks);
    const quantity = instrument.exactQuantity(lots);
    record.filledTicks = record.filledLots === 0 || record.filledTicks === ticks ? ticks : Number.NaN;
    record.filledPrice = decimalText(price);
    record.filledLots += lots;
    record.filledValue = record.filledValue.plus(price.times(quantity));
    record.status = 'partially_filled';
    // A fill at an open has the open's time, which may precede the arrival.
    record.updatedUs = Math.max(record.createdUs, us);
    const settled = symbol.handler.settle(record, ticks, lots, liquidity);
    const fill = fillOf(record, `sim-t${++this.#trades}`, { lots, liquidity, us }, settled);
    if (symbol.perpetual !== null) this.#news.moved.add(symbol);
    this.store.addFill(fill);
    this.#news.filled(fill);
    this.#news.changed(record);
    this.#observed.mid(symbol, us);
    this.#observed.filled(fill, queueAheadOf(record));
    if (record.filledLots === record.lots) this.#close(record, 'filled', us);
    // Cancels reduce-only orders that would open a position, as the exchange does.
    for (const excess of symbol.perpetual?.excess() ?? []) this.#cancel(excess, us, 'reduce_only');
  }

  #covers(order: WorkingOrder, ticks: number, lots: number): boolean {
    const record = this.store.open(order.id)!;
    return this.#symbols.of(record.instrument).handler.covers(record, ticks, lots);
  }

  #expired(order: WorkingOrder, us: number, reason?: string): void {
    const record = this.store.open(order.id);
    if (record !== undefined) this.#close(record, 'expired', us, reason);
  }

  #grant(symbol: SymbolVenue): void {
    for (const grant of this.#grants.grant(symbol)) {
      this.#justGranted = true;
      this.#deps.observer?.granted(grant);
    }
  }
}

/** Base units; null: unknown. */
function queueAheadOf({ working, instrument }: OrderRecord): number | null {
  return Number.isFinite(working.joinedBehind) ? working.joinedBehind * instrument.lot : null;
}
