/**
 * Balances and positions against what opening, own fills and adjustments explain (reliability §0.7). The venue's
 * figure is a check, never an input to the sum: what it shows beyond that becomes a labelled adjustment only at a
 * start, or when somebody else's activity explains it; else it is an alarm and closes the gate of the symbols concerned.
 */
import { signedQuantity, type Balance, type VenuePosition } from '../../model/account.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/money.ts';
import { TRADING_ACCOUNT } from '../balances.ts';
import type { AlarmCode } from '../events.ts';
import { positionName } from '../positions.ts';
import type { ReconcileGate } from './gate.ts';
import type { Movements } from './movements.ts';
import type { ReconcilerPort } from './port.ts';
import { Residuals, type ResidualVerdict } from './residual.ts';

/** For so long a start does not believe a list that lacks a position which we know: what is not shown may be held all the same. */
const UNSHOWN_MS = 120_000;
const POSITION_SIDES = ['both', 'long', 'short'] as const;

/** The circumstances of a reading. */
export interface CheckFacts {
  /** Unix ms. */
  readonly asOf: number;
  /** Nothing of ours is on its way. Else a difference proves nothing; that there is none proves something still. */
  readonly isStill: boolean;
}

export class AccountCheck {
  readonly #port: ReconcilerPort;
  readonly #gate: ReconcileGate;
  readonly #residuals: Residuals;
  readonly #movements: Movements;
  readonly #tolerance: Decimal;
  readonly #lagMs: number;
  readonly #movedAt: (name: string) => number;
  readonly #opened = new Set<string>();
  readonly #alarmed = new Set<string>();
  /** What was taken over and differed at the last look. */
  readonly #differing = new Set<string>();
  /** What is not taken over yet and shows nothing that we do not know → since when, by readings, Unix ms. */
  readonly #plainSince = new Map<string, number>();
  /** Position that we know and that no list has shown since the start → when the first did not, Unix ms. */
  readonly #unshown = new Map<string, number>();
  #count = 0;

  /** `movedAt`: when others last traded what moves a balance or position, Unix ms. */
  constructor(port: ReconcilerPort, gate: ReconcileGate, movements: Movements, movedAt: (name: string) => number) {
    this.#movedAt = movedAt;
    this.#port = port;
    this.#gate = gate;
    this.#movements = movements;
    const { balanceTolerance, historyLagMs } = port.deps.options.reconcile;
    this.#residuals = new Residuals(balanceTolerance, historyLagMs);
    this.#tolerance = dec(balanceTolerance);
    this.#lagMs = historyLagMs;
  }

  /** At the start, with the journal replayed: a position takes no new risk until a reading confirms it, or takes over what it is. */
  begin(): void {
    for (const { market, symbol } of this.#port.deps.instruments.all()) {
      if (market !== 'derivative') continue;
      for (const positionSide of POSITION_SIDES) {
        const name = positionName(symbol, positionSide);
        if (!this.#port.explainedPosition(name).isZero()) this.#gate.unconfirmed.set(name, symbol);
      }
    }
  }

  /** A trade of others from then (Unix ms) is booked that moved this: a difference that was seen later than it held it. */
  booked(subject: 'balance' | 'position', name: string, ts: number): void {
    this.#residuals.explained(`${subject}/${name}`, ts);
  }

  /** Something is not explained, be it for a moment. */
  get differs(): boolean {
    return this.#differing.size > 0;
  }

  balances(rows: readonly Balance[], facts: CheckFacts): void {
    const told = new Map(
      rows.filter((row) => row.account === TRADING_ACCOUNT).map((row) => [row.currency, dec(row.total)]),
    );
    let isDifferent = false;
    for (const currency of this.#spotCurrencies()) {
      const total = told.get(currency) ?? ZERO;
      this.#balance(currency, total, facts);
      isDifferent ||= !this.#isExplained('balance', currency, total);
    }
    for (const currency of this.#settleCurrencies())
      isDifferent = !this.#settled(currency, told.get(currency) ?? ZERO, facts) || isDifferent;
    this.#movements.differs(isDifferent, facts.asOf);
  }

  /** Only what was taken over can differ. */
  #isExplained(subject: 'balance', currency: string, told: Decimal): boolean {
    if (this.#port.openedAt(subject, currency) === undefined) return true;
    return told.minus(this.#port.explainedBalance(currency)).abs().lte(this.#tolerance);
  }

  /**
   * A currency that perpetuals settle in: profit that the exchange does not name moves it too, so a difference is neither
   * an alarm nor booked, but one that a transfer explains exactly is money that came in, while this runs or while it did
   * not. True when nothing has changed.
   */
  #settled(currency: string, told: Decimal, { asOf, isStill }: CheckFacts): boolean {
    if (!isStill) return true;
    const drift = told.minus(this.#port.explainedBalance(currency));
    const before = this.#port.drift(currency);
    if (before === undefined) this.#port.setDrift(currency, drift);
    const key = `settled/${currency}`;
    const verdict = this.#residuals.judge(key, drift, before ?? drift, asOf);
    if (verdict.kind === 'explained') return true;
    const change = drift.minus(before ?? drift);
    if (
      verdict.kind === 'watch' &&
      !(change.isPositive() && this.#movements.came(currency, change, this.#tolerance, this.#port.lastTs()))
    )
      return false;
    this.#port.setDrift(currency, drift);
    return true;
  }

  positions(rows: readonly VenuePosition[], facts: CheckFacts): void {
    const told = new Map<string, Decimal>();
    for (const row of rows) {
      const name = positionName(row.symbol, row.positionSide);
      told.set(name, (told.get(name) ?? ZERO).plus(signedQuantity(row)));
    }
    for (const { market, symbol } of this.#port.deps.instruments.all()) {
      if (market !== 'derivative') continue;
      for (const positionSide of POSITION_SIDES) {
        const name = positionName(symbol, positionSide);
        // A side that nobody has ever held needs no opening entry.
        const isUsed =
          told.has(name) ||
          this.#gate.unconfirmed.has(name) ||
          this.#opened.has(`position/${name}`) ||
          this.#port.openedAt('position', name) !== undefined;
        if (positionSide === 'both' || isUsed || !this.#port.explainedPosition(name).isZero())
          this.#position(symbol, name, told.get(name), facts);
      }
    }
  }

  #balance(currency: string, told: Decimal, facts: CheckFacts): void {
    const explained = this.#port.explainedBalance(currency);
    const settled = this.#judge('balance', currency, told, explained, facts);
    if (settled === undefined) return;
    for (const { symbol, base, quote } of this.#port.deps.instruments.all()) {
      if (base === currency || quote === currency) this.#close(symbol, currency, settled);
    }
  }

  /** `name`: the symbol, and the side in hedge mode. `told`: undefined when the list does not show it. */
  #position(symbol: string, name: string, told: Decimal | undefined, facts: CheckFacts): void {
    const explained = this.#port.explainedPosition(name);
    const isDoubted = this.#unshownMs(name, told, explained, facts.asOf) < UNSHOWN_MS;
    if (isDoubted && !this.#opened.has(`position/${name}`)) {
      this.#plainSince.delete(`position/${name}`);
      // That readings agree on it is found meanwhile, not afterwards.
      this.#residuals.judge(`position/${name}`, ZERO, explained, facts.asOf);
      return;
    }
    const settled = this.#judge('position', name, told ?? ZERO, explained, facts);
    if (settled !== undefined) this.#close(symbol, name, settled);
  }

  /** For how long no list has shown it although it is known to be held; for ever when there is nothing to show, or it is shown. */
  #unshownMs(name: string, told: Decimal | undefined, explained: Decimal, asOf: number): number {
    if (told !== undefined || explained.isZero()) {
      this.#unshown.delete(name);
      return Number.POSITIVE_INFINITY;
    }
    const since = this.#unshown.get(name) ?? asOf;
    this.#unshown.set(name, since);
    return asOf - since;
  }

  /** Null: explained now. A text: why the gate closes. Undefined: nothing new. */
  #judge(
    subject: 'balance' | 'position',
    name: string,
    told: Decimal,
    explained: Decimal,
    { asOf, isStill }: CheckFacts,
  ): string | null | undefined {
    const key = `${subject}/${name}`;
    const verdict = this.#residuals.judge(key, told, explained, asOf);
    if (verdict.kind !== 'explained') this.#plainSince.delete(key);
    const isNew = this.#port.openedAt(subject, name) === undefined;
    if (isNew || verdict.kind === 'explained') this.#differing.delete(key);
    else this.#differing.add(key);
    if (!isStill && verdict.kind !== 'explained') return undefined;
    if (!this.#opened.has(key)) return this.#open(subject, name, told.minus(explained), { kind: verdict.kind, asOf });
    if (verdict.kind === 'explained') {
      this.#alarmed.delete(key);
      return null;
    }
    if (verdict.kind === 'watch') return undefined;
    const more = decimalText(verdict.difference);
    // What came in without us (a deposit) is no risk; what went out must have a reason. Trades of others are booked.
    if (subject === 'balance' && verdict.difference.isPositive()) {
      this.#adjust(subject, name, verdict.difference, 'credit');
      this.#flow(name, verdict.difference, verdict.since, 'credit');
      return null;
    }
    const message = `the ${subject} of ${name} differs from own fills by ${more}`;
    if (!this.#alarmed.has(key)) {
      this.#alarmed.add(key);
      this.#port.alarm(residualCode(subject), message);
    }
    return message;
  }

  /**
   * The first judgement of this start takes over what is there, once readings agree on it: a fill that is late would else
   * be booked as a difference and as a fill.
   */
  #open(
    subject: 'balance' | 'position',
    name: string,
    difference: Decimal,
    { kind, asOf }: { readonly kind: ResidualVerdict['kind']; readonly asOf: number },
  ): null | undefined {
    const key = `${subject}/${name}`;
    if (kind === 'watch') return undefined;
    const isNew = this.#port.openedAt(subject, name) === undefined;
    if (isNew && kind === 'explained' && !this.#wasPlain(key, asOf)) return undefined;
    // What others traded just before is in it already, and would be booked again.
    if (isNew && asOf - this.#movedAt(name) < this.#lagMs) return undefined;
    this.#opened.add(key);
    if (subject === 'position') this.#gate.unconfirmed.delete(name);
    if (isNew) this.#adjust(subject, name, difference, 'opening', asOf);
    else if (kind === 'residual') this.#takeOver(subject, name, this.#unsettled(subject, name, difference, asOf), asOf);
    return null;
  }

  /** Nothing held that others may have closed just now: their trade would be seen later than it, and be booked beside it. */
  #wasPlain(key: string, asOf: number): boolean {
    const since = this.#plainSince.get(key) ?? asOf;
    this.#plainSince.set(key, since);
    return asOf - since >= this.#lagMs;
  }

  /** What is left of a difference when liquidations that wait for whose they were are booked: it holds them already. */
  #unsettled(subject: 'balance' | 'position', name: string, difference: Decimal, asOf: number): Decimal {
    if (subject === 'balance') return difference;
    const before = this.#port.explainedPosition(name);
    this.#port.settleLiquidations(name, asOf);
    return difference.plus(before).minus(this.#port.explainedPosition(name));
  }

  /** What changed while this was not running, and is not in the list of movements by now. */
  #takeOver(subject: 'balance' | 'position', name: string, difference: Decimal, asOf: number): void {
    if (subject === 'balance') {
      // Booked by its own name: no reason for an alarm.
      if (difference.isPositive() && this.#movements.came(name, difference, this.#tolerance, this.#port.lastTs())) {
        this.#adjust(subject, name, difference, 'movement');
        return;
      }
      this.#movements.tookOver(name, asOf);
    }
    this.#adjust(subject, name, difference, 'while down');
    if (subject === 'balance') this.#flow(name, difference, this.#port.lastTs(), 'while down');
    this.#port.alarm(
      residualCode(subject),
      `the ${subject} of ${name} changed by ${decimalText(difference)} while this was not running; taken over`,
    );
  }

  #adjust(subject: 'balance' | 'position', name: string, difference: Decimal, cause: string, asOf?: number): void {
    const id = `${this.#port.boot()}/${subject}/${name}/${++this.#count}`;
    const what = { id, subject, name, quantity: decimalText(difference), cause };
    this.#port.adjust(asOf === undefined ? what : { ...what, asOf });
  }

  #flow(currency: string, amount: Decimal, at: number, cause: 'credit' | 'while down'): void {
    const id = `${this.#port.boot()}/balance/${currency}/${this.#count}`;
    this.#port.flow({ id, currency, amount: decimalText(amount), at, cause });
  }

  #close(symbol: string, cause: string, message: string | null): void {
    const key = symbol;
    if (message !== null) this.#gate.mismatches.set(key, message);
    else if (this.#gate.mismatches.get(key)?.includes(` of ${cause} `) === true) this.#gate.mismatches.delete(key);
  }

  /** Currencies that only spot trading moves: where perpetuals settle, funding and margin move them too. */
  #spotCurrencies(): ReadonlySet<string> {
    const traded = this.#port.tradedSymbols();
    const spot = this.#port.deps.instruments
      .all()
      .filter(({ symbol, market }) => market === 'spot' && traded.has(symbol));
    const settled = this.#settleCurrencies();
    return new Set(spot.flatMap(({ base, quote }) => [base, quote]).filter((currency) => !settled.has(currency)));
  }

  /** Where a perpetual settles that is held, or that anybody has traded: somebody else's profit, fees and funding are not named. */
  #settleCurrencies(): ReadonlySet<string> {
    const traded = this.#port.tradedSymbols();
    const isUsed = (name: string): boolean => this.#movedAt(name) > 0 || !this.#port.explainedPosition(name).isZero();
    const perpetuals = this.#port.deps.instruments
      .all()
      .filter(
        ({ market, symbol }) =>
          market === 'derivative' &&
          (traded.has(symbol) || POSITION_SIDES.some((side) => isUsed(positionName(symbol, side)))),
      );
    return new Set(perpetuals.map(({ settle }) => settle));
  }
}

function residualCode(subject: 'balance' | 'position'): AlarmCode {
  return subject === 'balance' ? 'balance_residual' : 'position_residual';
}
