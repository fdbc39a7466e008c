/** Collects what a run did for its result. In simulated modes fills come from the venue, at their time of execution. */
import type { ExecutorEvent, FillEvent } from '../../spine/events.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import { NumberedIndex } from '../../model/numbered-index.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { OrderUpdate } from '../../model/trading/order.ts';
import type { CashEvent, FillRecord, MidAfter } from '../../statistics/inputs.ts';
import { isOpen, MidProbes, type SavedProbes } from '../../statistics/mid-probes.ts';
import { indexAt, type Series } from '../../statistics/series.ts';
import { Amounts } from './amounts.ts';
import { DenialCounts, denialText, type DenialCount, type SavedDenials } from './denial-counts.ts';
import { OwnEquity, type AccountFigures, type SavedEquity } from './equity.ts';
import type { EquityStart } from './equity-start.ts';
import { FillRateBook } from './fill-rates.ts';
import { KeptFills, type AtFill } from './kept-fills.ts';
import { KeptOrders } from './kept-orders.ts';
import { MidPath, type SavedPath } from './curves/mid-path.ts';
import { Plots } from './curves/plots.ts';
import { Prices, type SavedPrices } from './prices.ts';
import type { ResultNote, ResultOrder } from '../result/result.ts';
import { StrategyFunding, type Payment } from './strategy-funding.ts';
import { StrategyTally, type SavedTally, type Tally } from './strategy-tally.ts';

const ROWS_MAX = 200_000;
/** Days of every second, 8 MB. */
const POINTS_MAX = 500_000;

/** Decimal text. */
export interface AccountValues {
  readonly totals: ReadonlyMap<string, string>;
  readonly positions: readonly { readonly symbol: string; readonly quantity: string; readonly cost: string }[];
}

function refusalText({ symbol, side, reason = 'rejected', message = '' }: OrderUpdate): string {
  return `${symbol} ${side}: ${reason}: ${message}`;
}

const COMPLAINTS_MAX = 100;

function counted(complaints: Map<string, number>, what: string): void {
  if (complaints.has(what) || complaints.size < COMPLAINTS_MAX) complaints.set(what, (complaints.get(what) ?? 0) + 1);
}

/** Plain values, maps and sets. */
export interface SavedRun {
  readonly prices: SavedPrices;
  readonly equity: SavedEquity;
  readonly mids: readonly (readonly [symbol: string, path: SavedPath])[];
  readonly probes: SavedProbes;
  readonly denials: SavedDenials;
  readonly refusals: ReadonlyMap<string, number>;
  readonly warnings: ReadonlySet<string>;
  readonly tally: SavedTally;
  /** Currencies. */
  readonly lateRates: ReadonlySet<string>;
  readonly fillCount: number;
  readonly lastFillTs: number;
}

export interface RecorderOptions {
  readonly pointsMax?: number;
  /** Bars are too rare for markouts. */
  readonly bars?: boolean;
  readonly packs?: boolean;
  readonly rowsMax?: number;
}

export class RunRecorder {
  readonly equity: OwnEquity;
  account: () => Amounts = () => new Amounts();
  readonly plots = new Plots((text) => this.warn(text));
  readonly prices: Prices;
  readonly #rates: FillRateBook;
  readonly #pointsMax: number;
  readonly isOnBars: boolean;
  readonly #instruments: Instruments;
  readonly #reporting: string;
  readonly #mids = new Map<string, MidPath>();
  #path: MidPath | null = null;
  readonly #rowsMax: number;
  #orders: KeptOrders;
  #fills: KeptFills;
  /** Of the part of the run before. */
  #fillsBefore = 0;
  #lastFillTs = 0;
  /** By symbol and trade, until the executor attributes it. */
  readonly #atFill = new Map<string, NumberedIndex<AtFill>>();
  readonly #probes = new MidProbes();
  #notes: ResultNote[] = [];
  readonly #denials = new DenialCounts();
  readonly #refusals = new Map<string, number>();
  readonly #warnings = new Set<string>();
  readonly #alarms: string[] = [];
  #payments: Payment[] = [];
  readonly #tally = new StrategyTally();
  readonly #paidTo = new StrategyFunding((currency) => this.prices.rate(currency));
  readonly #midOf = (symbol: string): number | undefined => this.mid(symbol);

  constructor(instruments: Instruments, reporting: string, options: RecorderOptions = {}) {
    const { pointsMax = POINTS_MAX, bars = false, packs = false, rowsMax = ROWS_MAX } = options;
    this.prices = new Prices(instruments, reporting);
    this.#rates = new FillRateBook(instruments, this.prices);
    this.equity = new OwnEquity(this.prices, pointsMax);
    this.#pointsMax = pointsMax;
    this.isOnBars = bars;
    this.#rowsMax = rowsMax;
    this.#orders = new KeptOrders(rowsMax);
    this.#fills = new KeptFills({ rowsMax, packs, isOpen: (midAfter) => !bars && isOpen(midAfter) });
    this.#instruments = instruments;
    this.#reporting = reporting;
  }

  get fillCount(): number {
    return Math.min(this.#rowsMax, this.#fillsBefore + this.#fills.length);
  }

  /** Exchange time, 0 without one. */
  get lastFillTs(): number {
    return this.#lastFillTs;
  }

  get looseRows(): number {
    return this.#orders.looseCount + this.#fills.looseCount;
  }

  mid(symbol: string): number | undefined {
    const path = this.#mids.get(symbol);
    return path === undefined || Number.isNaN(path.last) ? undefined : path.last;
  }

  /** When the mid last changed, in exchange time; 0 without one. */
  midTs(symbol: string): number {
    return this.#mids.get(symbol)?.lastMs ?? 0;
  }

  tally(tag: string): Tally {
    return this.#tally.of(tag, (currency) => this.prices.firstRate(currency));
  }

  /** Of this process. */
  paymentsOf(tag: string): readonly Payment[] {
    return this.#paidTo.of(tag);
  }

  /** In the reporting currency; without those that have no price. */
  valued(payments: readonly Payment[]): readonly CashEvent[] {
    return payments.flatMap(({ ts, currency, amount, rate = this.prices.firstRate(currency) }) =>
      rate === undefined ? [] : [{ ts, amount: decimalText(dec(amount).times(rate)) }],
    );
  }

  /** Mid of spot, mark of perpetuals. */
  price(symbol: string): number | undefined {
    return this.prices.of(symbol);
  }

  isPriced(symbol: string): boolean {
    return this.price(symbol) !== undefined;
  }

  /** In exchange time. */
  mark(atMs: number, symbol: string, mid: number): void {
    const path = this.#pathOf(symbol);
    if (mid === path.last) return;
    if (!this.isOnBars) this.#probes.mark(atMs, symbol, mid);
    path.add(atMs, mid);
    // A perpetual is valued at its mark price.
    if (!path.isPerpetual) this.equity.price(atMs, symbol, mid);
  }

  #pathOf(symbol: string): MidPath {
    if (this.#path?.symbol === symbol) return this.#path;
    let path = this.#mids.get(symbol);
    if (path === undefined) {
      path = new MidPath(symbol, this.#pointsMax, this.#instruments.find(symbol)?.market === 'derivative');
      this.#mids.set(symbol, path);
    }
    return (this.#path = path);
  }

  /** Adds the first point, unless an earlier process did. `account`: null while unknown. */
  begin(atMs: number, account: () => AccountValues | null): void {
    this.account = () => {
      const values = account();
      return values === null ? this.equity.expected() : this.#amountsOf(values);
    };
    if (!this.equity.begun) this.equity.begin(atMs);
  }

  /** Sets the account's start, unless an earlier process knew it. */
  hold(earlier: EquityStart | null): void {
    if (earlier === null) this.equity.hold(this.equity.beyond(this.account()));
    else this.equity.resume(earlier);
  }

  /** Undefined for a delisted instrument. */
  traded(fill: VenueFill): Instrument | undefined {
    const instrument = this.#instruments.find(fill.symbol);
    if (instrument !== undefined) this.equity.trade(instrument, fill);
    return instrument;
  }

  venueFilled(symbol: string, tradeId: string, atMs: number, queueAhead: number | null): void {
    this.#mids.get(symbol)?.pin(atMs);
    let ofSymbol = this.#atFill.get(symbol);
    if (ofSymbol === undefined) {
      ofSymbol = new NumberedIndex();
      this.#atFill.set(symbol, ofSymbol);
    }
    const mid = this.mid(symbol) ?? null;
    ofSymbol.set(tradeId, { mid, midAfter: this.#midAfter(atMs, symbol), queueAhead });
  }

  onExecutorEvent(event: ExecutorEvent): void {
    this.#paidTo.event(event);
    if (event.kind === 'order') {
      const { order } = event;
      if (order.state === 'rejected') counted(this.#refusals, refusalText(order));
      this.#orders.told(event.strategy, order, this.#midOf);
      this.#warnIfCut();
    } else if (event.kind === 'fill') this.#fill(event);
    else if (event.kind === 'denied') this.#denials.add(event);
    else if (event.kind === 'cash-flow') this.equity.flow(event.flow, event.value);
    else if (event.kind === 'alarm') {
      // The result says by itself which strategy threw.
      if (event.code !== 'strategy_stopped' && this.#alarms.length < 100)
        this.#alarms.push(`alarm ${event.code}: ${event.message}`);
    } else if (event.kind === 'note' && this.#notes.length < ROWS_MAX) {
      const { ts, text, data } = event;
      this.#notes.push(data === undefined ? { ts, text } : { ts, text, data });
    }
  }

  /** Received (+) or paid (-), decimal text. */
  funded(ts: number, currency: string, amount: string): void {
    this.equity.earn(currency, amount);
    this.#payments.push({ ts, currency, amount, rate: this.prices.rate(currency) });
  }

  /** What later parts of the run need of this one, without its lists. To be read at once. */
  saved(): SavedRun {
    return {
      prices: this.prices.saved(),
      equity: this.equity.saved(),
      mids: [...this.#mids].map(([symbol, path]) => [symbol, path.saved()]),
      probes: this.#probes.saved(),
      denials: this.#denials.saved(),
      refusals: this.#refusals,
      warnings: this.#warnings,
      tally: this.#tally.saved(),
      lateRates: this.#rates.saved(),
      fillCount: this.fillCount,
      lastFillTs: this.#lastFillTs,
    };
  }

  /** Continues where another ended. The lists hold only rows from now on, until `precede`. */
  load(saved: SavedRun): void {
    this.prices.load(saved.prices);
    this.equity.load(saved.equity);
    for (const [symbol, path] of saved.mids) this.#pathOf(symbol).load(path);
    this.#probes.load(saved.probes);
    this.#denials.load(saved.denials);
    for (const [what, count] of saved.refusals) this.#refusals.set(what, count);
    for (const warning of saved.warnings) this.#warnings.add(warning);
    this.#tally.load(saved.tally);
    this.#rates.load(saved.lateRates);
    this.#fillsBefore = saved.fillCount;
    this.#lastFillTs = saved.lastFillTs;
  }

  /** Puts the lists of the run before. `before`: it saved what this one loaded; it is used up. */
  precede(before: RunRecorder): void {
    this.equity.precede(before.equity);
    for (const [symbol, path] of before.#mids) this.#pathOf(symbol).precede(path);
    this.#probes.answer(before.#probes);
    this.#payments = [...before.#payments, ...this.#payments];
    this.#notes = [...before.#notes, ...this.#notes].slice(0, ROWS_MAX);
    before.#fills.follow(this.#fills, (strategy, ref) => before.#orders.sent(strategy, ref));
    this.#fills = before.#fills;
    this.#fillsBefore = 0;
    // Else nothing of what was before is among the newest.
    if (!this.#orders.isCut) {
      before.#orders.follow(this.#orders);
      this.#orders = before.#orders;
    }
    this.#warnIfCut();
  }

  #warnIfCut(): void {
    if (this.#orders.isCut) this.#warnings.add(`only the last ${this.#rowsMax} orders are kept`);
  }

  end(atMs: number): void {
    const last = this.account();
    this.account = () => last;
    this.equity.point(atMs);
    this.#probes.end(atMs);
  }

  /** Null where something traded has no price. */
  get figures(): AccountFigures | null {
    return this.equity.figures(this.account());
  }

  get payments(): readonly Payment[] {
    return this.#payments;
  }

  get funding(): readonly CashEvent[] {
    return this.valued(this.#payments);
  }

  /** By exchange time. */
  get fills(): readonly FillRecord[] {
    return this.#rates.completed(this.#fills.list());
  }

  get orders(): readonly ResultOrder[] {
    return this.#orders.list();
  }

  get notes(): readonly ResultNote[] {
    return this.#notes;
  }

  midSeries(): Readonly<Record<string, Series>> {
    return Object.fromEntries([...this.#mids].map(([symbol, path]) => [symbol, path.series]));
  }

  /** Null before the first mid. */
  midAt(symbol: string, atMs: number): number | null {
    const series = this.#mids.get(symbol)?.series;
    if (series === undefined) return null;
    const index = indexAt(series, atMs);
    return index < 0 ? null : (series.value[index] ?? null);
  }

  warn(text: string): void {
    this.#warnings.add(text);
  }

  denials(strategy?: string): readonly DenialCount[] {
    return this.#denials.list(strategy);
  }

  warnings(): readonly string[] {
    const refusals = [...this.#refusals].map(([what, count]) => `refused by the exchange ${count} x ${what}`);
    const { stretchMs } = this.equity;
    const unpriced = [...this.equity.unpriced()].map(
      (what) => `${what} has no price in ${this.#reporting} here and counts as 0 in the equity`,
    );
    const thinned = stretchMs === 0 ? [] : [`of the equity curve the extremes of each ${stretchMs / 1000} s are kept`];
    const denials = this.denials().map(denialText);
    return [
      ...this.#warnings,
      ...unpriced,
      ...this.#rates.warnings(),
      ...thinned,
      ...denials,
      ...refusals,
      ...this.#alarms,
    ];
  }

  #fill({ strategy, fill, mid, rates, arrivalMid }: FillEvent): void {
    const { ts, symbol, tradeId } = fill;
    const sent = this.#orders.sent(strategy, fill.ref);
    const ofSymbol = this.#atFill.get(symbol);
    const atFill = ofSymbol?.get(tradeId) ?? { mid, midAfter: this.#midAfter(ts, symbol), queueAhead: null };
    ofSymbol?.delete(tradeId);
    if (this.fillCount >= this.#rowsMax) this.#warnings.add(`only the last ${this.#rowsMax} fills are kept`);
    this.#lastFillTs = Math.max(this.#lastFillTs, ts);
    this.#tally.add(strategy, fill, this.#rates.fee(fill, rates));
    const { quoteRate, feeValue } = this.#rates.worth(fill, rates);
    this.#fills.add(fill, atFill, {
      strategy,
      orderTs: sent?.ts ?? null,
      arrivalMid: arrivalMid ?? sent?.mid ?? null,
      quoteRate,
      feeValue,
    });
  }

  #amountsOf({ totals, positions }: AccountValues): Amounts {
    const amounts = new Amounts();
    for (const [currency, total] of totals) amounts.add(currency, total);
    for (const { symbol, quantity, cost } of positions) {
      const instrument = this.#instruments.find(symbol);
      if (instrument !== undefined) amounts.hold({ instrument, quantity, cost });
    }
    return amounts;
  }

  #midAfter(atMs: number, symbol: string): MidAfter {
    return this.isOnBars ? [null, null, null] : this.#probes.fill(atMs, symbol);
  }
}
