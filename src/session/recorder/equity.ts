/**
 * Capital + the result of own trading (docs/metrics.md, "Equity"). Exact sums of amounts:
 *
 *   own    what own fills, fees and funding moved, in all processes of a session
 *   held   what the account had at the start, and what was moved in and out since
 *   account − own − held = external: manual trades, liquidations not attributed to a strategy
 *
 * A late first price raises capital and so the whole curve.
 */
import type { Instrument } from '../../model/market/instrument.ts';
import { dec, type Decimal, type DecimalLike, decimalText, ZERO } from '../../model/numbers/money.ts';
import { GrowingSeries, type Series } from '../../statistics/series.ts';
import { Amounts, type SavedAmounts, type TradedAmounts } from './amounts.ts';
import { ThinnedCurve, type SavedCurve } from './curves/thinned-curve.ts';
import type { EquityStart } from './equity-start.ts';
import { type Flow, Flows, type SavedFlow } from './flows.ts';
import type { Prices } from './prices.ts';

/** accountPnl = netPnl + heldDrift + external = the account's end − start − flows. */
export interface AccountFigures {
  readonly netPnl: Decimal;
  readonly heldDrift: Decimal;
  readonly external: Decimal;
  readonly accountPnl: Decimal;
}

export interface SavedEquity {
  readonly begun: boolean;
  readonly own: SavedAmounts;
  readonly flows: readonly SavedFlow[];
  readonly curve: SavedCurve;
}

export class OwnEquity {
  readonly #prices: Prices;
  readonly #pointsMax: number;
  readonly #own = new Amounts();
  readonly #start = new Amounts();
  /** Parts of it that are not in the capital yet. */
  readonly #unpriced = new Set<string>();
  /** The start and the flows since. */
  readonly #held = new Amounts();
  readonly #flows: Flows;
  /** Profit per price step of 1. */
  readonly #weights = new Map<string, number>();
  /** The newest one asked for; undefined once they change. */
  #newest: { readonly symbol: string; readonly weight: number } | undefined;
  #curve: ThinnedCurve;
  #capital = ZERO;
  #profit = 0;
  /** False with a perpetual settled in a foreign currency, and with the inverse of a price. */
  #isLinear = true;
  #isStale = false;
  #begun = false;
  /** States are transient. */
  #isHeld = false;
  /** Unix ms of the last one; NaN: none. */
  #heldMs = Number.NaN;

  constructor(prices: Prices, pointsMax = Infinity) {
    this.#prices = prices;
    this.#flows = new Flows(prices);
    this.#pointsMax = pointsMax;
    this.#curve = new ThinnedCurve(pointsMax, { drawdown: 'exact' });
  }

  begin(atMs: number): void {
    this.#begun = true;
    this.#curve = new ThinnedCurve(this.#pointsMax, { drawdown: 'exact' });
    this.#curve.base = this.capital;
    this.point(atMs);
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** Before an amount is held. */
  saved(): SavedEquity {
    const flows = this.#flows.saved();
    return { begun: this.#begun, own: this.#own.saved(), flows, curve: this.#curve.saved() };
  }

  /** Prices must be known already. */
  load({ begun, own, flows, curve }: SavedEquity): void {
    this.#begun = begun;
    this.#own.load(own);
    for (const { value, worth, ...flow } of flows) this.flow(flow, value, worth === null ? null : dec(worth));
    this.#curve.load(curve);
    this.#revalue();
  }

  precede(before: OwnEquity): void {
    this.#curve.precede(before.#curve);
  }

  hold(start: Amounts): void {
    this.#start.put(start);
    this.#held.put(start);
    this.#value(start);
  }

  /** After the flows of the journal. */
  resume({ money, contracts, capital, unpriced, worths, counted, flows }: EquityStart): void {
    const [start, late] = [new Amounts(), new Amounts()];
    const put = (name: string, add: (amounts: Amounts) => void): void => {
      add(start);
      if (unpriced.includes(name)) add(late);
    };
    for (const [currency, amount] of Object.entries(money)) put(currency, (to) => to.add(currency, amount));
    for (const [symbol, [settle, quantity]] of Object.entries(contracts))
      put(symbol, (to) => to.addUnits(symbol, settle, quantity));
    this.#start.put(start);
    this.#held.put(start);
    this.#addCapital(dec(capital));
    this.#value(late);
    for (const { currency, amount } of this.#flows.count(counted, dec(flows))) this.#held.spend(currency, amount);
    this.#flows.value(worths);
  }

  /** Null before the valuation. */
  start(): EquityStart | null {
    if (!this.#begun || !this.#capital.gt(0)) return null;
    return {
      money: Object.fromEntries([...this.#start.money].map(([currency, amount]) => [currency, decimalText(amount)])),
      contracts: Object.fromEntries(
        [...this.#start.contracts].map(([symbol, { settle, quantity }]) => [symbol, [settle, decimalText(quantity)]]),
      ),
      capital: decimalText(this.#capital),
      unpriced: [...this.#unpriced],
      worths: this.#flows.worths(),
      counted: [...this.#flows.counted],
      flows: decimalText(this.#flows.countedWorth),
    };
  }

  /** Ids of those that no start contained. */
  get flowIds(): readonly string[] {
    return this.#flows.ids;
  }

  /** `value`: null without a price. Each once. */
  flow(flow: Flow, value: number | null, worth: Decimal | null = null): void {
    if (this.#flows.add(flow, value, worth)) this.#held.add(flow.currency, flow.amount);
  }

  trade(instrument: Instrument, fill: TradedAmounts): void {
    this.#own.trade(instrument, fill);
    this.#isStale = true;
  }

  /** Funding, or a loss borne by the venue. */
  earn(currency: string, amount: DecimalLike): void {
    this.#own.add(currency, amount);
    this.#isStale = true;
  }

  /** Mid of spot or mark of a perpetual. */
  price(atMs: number, symbol: string, price: number): void {
    const before = this.#prices.replace(symbol, price);
    const isDue = before === undefined || this.#isStale || !this.#isLinear;
    if (isDue) this.#revalue();
    const weight = this.#weightOf(symbol);
    if (!isDue) this.#profit += weight * (price - before);
    if (!this.#begun || weight === 0) return;
    if (this.#isHeld) this.#heldMs = atMs;
    else this.#curve.add(atMs, this.#profit);
  }

  #weightOf(symbol: string): number {
    if (this.#newest?.symbol !== symbol) this.#newest = { symbol, weight: this.#weights.get(symbol) ?? 0 };
    return this.#newest.weight;
  }

  point(atMs: number): void {
    if (this.#isHeld) {
      this.#heldMs = atMs;
      return;
    }
    this.#revalue();
    this.#curve.fix(atMs, this.#profit);
  }

  /** What happens at one moment makes one point. */
  together(isOn: boolean): void {
    this.#isHeld = isOn;
    const atMs = this.#heldMs;
    if (isOn || Number.isNaN(atMs)) return;
    this.#heldMs = Number.NaN;
    this.#revalue();
    this.#curve.add(atMs, this.#profit);
  }

  get stretchMs(): number {
    return this.#curve.stretchMs;
  }

  get capital(): number {
    return this.#capital.toNumber();
  }

  get equity(): number {
    return this.capital + this.#profit;
  }

  series(): Series {
    const { ts, value, length } = this.#curve.series();
    const { capital } = this;
    const series = new GrowingSeries(Math.max(1, length));
    for (let i = 0; i < length; i++) series.push(ts[i]!, capital + value[i]!);
    return series;
  }

  expected(): Amounts {
    const expected = new Amounts();
    expected.put(this.#held);
    expected.put(this.#own);
    return expected;
  }

  beyond(account: Amounts): Amounts {
    const beyond = new Amounts();
    beyond.put(account);
    beyond.take(this.expected());
    return beyond;
  }

  /** Null where something that was held has no price. */
  drift(): Decimal | null {
    if (this.#prices.unpriced(this.#held).length > 0) return null;
    return this.#driftNow();
  }

  /** Null where something traded has no price. */
  figures(account: Amounts): AccountFigures | null {
    const netPnl = this.#prices.known(this.#own);
    if (netPnl === null) return null;
    const heldDrift = this.#driftNow();
    const external = this.#prices.worth(this.beyond(account));
    return { netPnl, heldDrift, external, accountPnl: netPnl.plus(heldDrift).plus(external) };
  }

  /** What counts as 0 for want of a price. */
  unpriced(): ReadonlySet<string> {
    return new Set([...this.#prices.unpriced(this.#own), ...this.#prices.unpriced(this.#held)]);
  }

  #driftNow(): Decimal {
    return this.#prices.worth(this.#held).minus(this.#capital).minus(this.#flows.worth());
  }

  #addCapital(amount: Decimal): void {
    this.#capital = this.#capital.plus(amount);
    this.#curve.base = this.capital;
  }

  /** Into the capital, each part at its first price. */
  #value({ money, contracts }: Amounts): void {
    const valued = (name: string) => {
      this.#unpriced.add(name);
      return (worth: Decimal): void => {
        this.#unpriced.delete(name);
        this.#addCapital(worth);
      };
    };
    for (const [currency, amount] of money) this.#prices.whenWorth(currency, amount, valued(currency));
    for (const [symbol, { settle, quantity }] of contracts) {
      const add = valued(symbol);
      this.#prices.whenPriced(symbol, (price) => this.#prices.whenWorth(settle, quantity.times(price), add));
    }
  }

  #revalue(): void {
    const prices = this.#prices;
    let profit = 0;
    this.#isLinear = true;
    this.#isStale = false;
    this.#weights.clear();
    this.#newest = undefined;
    for (const [currency, exact] of this.#own.money) {
      const amount = exact.toNumber();
      const bridge = prices.bridge(currency);
      if (bridge !== null) this.#weights.set(bridge.instrument.symbol, amount);
      if (bridge?.inverse === true) this.#isLinear = false;
      profit += amount * (prices.rate(currency) ?? 0);
    }
    for (const [symbol, { settle, quantity }] of this.#own.contracts) {
      const rate = prices.rate(settle) ?? 0;
      const weight = quantity.toNumber() * rate;
      if (prices.bridge(settle) !== null) this.#isLinear = false;
      this.#weights.set(symbol, weight);
      profit += weight * (prices.of(symbol) ?? 0);
    }
    this.#profit = profit;
  }
}
