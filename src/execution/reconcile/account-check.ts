/**
 * Balances and positions against what opening, own fills and adjustments explain (reliability §0.7). The venue's
 * figure is a check, never an input to the sum: what it shows beyond that becomes a labelled adjustment only at a
 * start, or when somebody else's activity explains it; else it is an alarm and closes the gate of the symbols concerned.
 */
import type { Balance, VenuePosition } from '../../model/account.ts';
import type { VenueFill } from '../../model/fill.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/money.ts';
import type { AlarmCode } from '../events.ts';
import { positionName } from '../positions.ts';
import { isStill, type CheckFacts } from './check-facts.ts';
import { ComparedCurrencies, POSITION_SIDES } from './compared-currencies.ts';
import { accountRows, quantitiesOf, totalsOf, type AccountRow } from './account-rows.ts';
import { movesOf } from './external-moves.ts';
import type { ReconcileGate } from './gate.ts';
import type { Movements } from './movements.ts';
import type { ReconcilerPort } from './port.ts';
import type { AccountReadings } from './readings.ts';
import { isOfOpening, type Residual } from './opening.ts';
import { Residuals, type ResidualVerdict } from './residual.ts';

/** What others traded of spot so shortly before may be in a balance or not. */
const SPOT_STILL_MS = 5_000;

/** For so long a start does not believe a list that lacks a position which we know: what is not shown may be held all the same. */
const UNSHOWN_MS = 120_000;

export interface AccountCheckDeps {
  readonly port: ReconcilerPort;
  readonly gate: ReconcileGate;
  readonly movements: Movements;
  /** When others last traded what moves a balance or position, Unix ms. */
  readonly movedAt: (name: string) => number;
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
  /** Symbols whose balances and positions are compared. */
  readonly #watched = new Set<string>();
  readonly #currencies: ComparedCurrencies;
  /** What the newest list of trades shows of others. */
  #others: readonly VenueFill[] = [];
  /** What the newest readings that were judged have shown. */
  readonly #newest: Partial<Record<AccountRow['subject'], { told: ReadonlyMap<string, Decimal>; asOf: number }>> = {};
  /** A look from outside of a session takes no opening: it would hide what differs. */
  #hasBegun = false;
  readonly #alarmed = new Set<string>();
  /** What was taken over and differed at the last look. */
  readonly #differing = new Set<string>();
  /** Position that we know and that no list has shown since the start → when the first did not, Unix ms. */
  readonly #unshown = new Map<string, number>();
  #count = 0;

  constructor({ port, gate, movements, movedAt }: AccountCheckDeps) {
    this.#movedAt = movedAt;
    this.#port = port;
    this.#gate = gate;
    this.#movements = movements;
    this.#currencies = new ComparedCurrencies(port, this.#watched, movedAt);
    const { balanceTolerance, historyLagMs } = port.deps.options.reconcile;
    this.#residuals = new Residuals(balanceTolerance, historyLagMs);
    this.#tolerance = dec(balanceTolerance);
    this.#lagMs = historyLagMs;
  }

  /**
   * At the start, with the journal replayed: nothing takes new risk until a reading confirms it or takes over what it is, and the
   * opening is journalled. `symbols`: what is going to be traded.
   */
  begin(symbols: Iterable<string>): void {
    this.#hasBegun = true;
    for (const symbol of symbols) this.watch(symbol);
    for (const { market, symbol } of this.#port.deps.instruments.all()) {
      if (market !== 'derivative') continue;
      for (const positionSide of POSITION_SIDES) {
        const name = positionName(symbol, positionSide);
        if (!this.#port.explainedPosition(name).isZero()) this.#gate.unconfirmed.set(name, symbol);
      }
    }
  }

  /** Of a symbol that nobody named before the start the opening is that of the newest reading, journalled before its first order. */
  watch(symbol: string): void {
    const instrument = this.#port.deps.instruments.find(symbol);
    if (instrument === undefined || this.#watched.has(symbol)) return;
    this.#watched.add(symbol);
    const { market, base, quote, settle } = instrument;
    const isSpot = market === 'spot';
    for (const currency of isSpot ? [base, quote] : [settle]) this.#await('balance', currency, symbol);
    if (!isSpot) this.#await('position', positionName(symbol, 'both'), symbol);
  }

  /** A simulated venue has said what it gave at the start: that is the opening, and there is nothing to compare it with. */
  granted(currency: string): void {
    const key = `balance/${currency}`;
    this.#opened.add(key);
    this.#gate.uncompared.delete(key);
  }

  #await(subject: 'balance' | 'position', name: string, symbol: string): void {
    const key = `${subject}/${name}`;
    const newest = this.#newest[subject];
    if (this.#opened.has(key)) return;
    if (newest !== undefined && this.#port.openedAt(subject, name) === undefined) {
      const told = newest.told.get(name) ?? ZERO;
      const explained = subject === 'balance' ? this.#port.explainedBalance(name) : this.#port.explainedPosition(name);
      this.#opened.add(key);
      this.#adjust(subject, name, told.minus(explained), 'opening', newest.asOf);
      return;
    }
    this.#gate.uncompared.set(key, new Set([...(this.#gate.uncompared.get(key) ?? []), symbol]));
  }

  /** Trades of others that the reading which is judged next shows. */
  sawOthers(fills: readonly VenueFill[]): void {
    this.#others = fills;
  }

  /** A trade of others from then (Unix ms) is booked that moved this: a difference that was seen later than it held it. */
  booked(subject: 'balance' | 'position', name: string, ts: number): void {
    this.#residuals.explained(`${subject}/${name}`, ts);
  }

  /** The same of an own fill. */
  bookedOwn(fill: VenueFill, ts: number): void {
    const subject = fill.market === 'derivative' ? 'position' : 'balance';
    for (const name of movesOf(fill, this.#port.deps.instruments).keys()) this.booked(subject, name, ts);
  }

  /** Something is not explained, be it for a moment. */
  get differs(): boolean {
    return this.#differing.size > 0;
  }

  /** Each balance and position that is compared, as these readings show it; none that was not read whole. */
  rows({ balances, positions }: Pick<AccountReadings, 'balances' | 'positions'>): readonly AccountRow[] {
    const totals = balances.kind === 'complete' ? totalsOf(balances.items) : null;
    const quantities = positions?.kind === 'complete' ? quantitiesOf(positions.items) : null;
    return [
      ...accountRows(this.#port, 'balance', totals === null ? [] : this.#currencies.ofSpot(), totals, this.#tolerance),
      ...accountRows(
        this.#port,
        'position',
        quantities === null ? [] : this.#positionNames(quantities).keys(),
        quantities,
        ZERO,
      ),
    ];
  }

  balances(rows: readonly Balance[], facts: CheckFacts): void {
    const told = totalsOf(rows);
    this.#newest.balance = { told, asOf: facts.asOf };
    let isDifferent = false;
    for (const currency of this.#currencies.ofSpot()) {
      const total = told.get(currency) ?? ZERO;
      this.#balance(currency, total, facts);
      isDifferent ||= !this.#isExplained('balance', currency, total);
    }
    for (const currency of this.#currencies.settled())
      isDifferent = !this.#settled(currency, told.get(currency) ?? ZERO, facts) || isDifferent;
    // Of a perpetual that nobody has traded yet.
    for (const currency of this.#currencies.settledLater())
      this.#openSettled(currency, told.get(currency) ?? ZERO, facts.asOf);
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
  #settled(currency: string, told: Decimal, facts: CheckFacts): boolean {
    const key = `settled/${currency}`;
    this.#openSettled(currency, told, facts.asOf);
    if (!isStill(facts)) return true;
    const drift = told.minus(this.#port.explainedBalance(currency));
    const before = this.#port.drift(currency);
    if (before === undefined) this.#port.setDrift(currency, drift);
    const verdict = this.#residuals.judge(key, drift, before ?? drift, facts);
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

  /** What own trades, fees and funding do not explain of it is compared with what that was before, so its opening is plain. */
  #openSettled(currency: string, told: Decimal, asOf: number): void {
    const key = `balance/${currency}`;
    if (this.#opened.has(key) || !this.#hasBegun) return;
    this.#opened.add(key);
    this.#gate.uncompared.delete(key);
    if (this.#port.openedAt('balance', currency) !== undefined || this.#port.drift(currency) !== undefined) return;
    this.#adjust('balance', currency, told.minus(this.#port.explainedBalance(currency)), 'opening', asOf);
  }

  positions(rows: readonly VenuePosition[], facts: CheckFacts): void {
    const told = quantitiesOf(rows);
    this.#newest.position = { told, asOf: facts.asOf };
    for (const [name, symbol] of this.#positionNames(told)) this.#position(symbol, name, told.get(name), facts);
  }

  /** Name of each position that is compared → its symbol. A side that nobody has ever held needs no opening entry. */
  #positionNames(told: ReadonlyMap<string, Decimal>): ReadonlyMap<string, string> {
    const names = new Map<string, string>();
    for (const { market, symbol } of this.#port.deps.instruments.all()) {
      if (market !== 'derivative') continue;
      for (const positionSide of POSITION_SIDES) {
        const name = positionName(symbol, positionSide);
        const isUsed =
          told.has(name) ||
          this.#gate.unconfirmed.has(name) ||
          this.#opened.has(`position/${name}`) ||
          this.#port.openedAt('position', name) !== undefined;
        if (positionSide === 'both' || isUsed || !this.#port.explainedPosition(name).isZero()) names.set(name, symbol);
      }
    }
    return names;
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
      // That readings agree on it is found meanwhile, not afterwards.
      this.#residuals.judge(`position/${name}`, ZERO, explained, facts);
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
    facts: CheckFacts,
  ): string | null | undefined {
    const key = `${subject}/${name}`;
    const verdict = this.#residuals.judge(key, told, explained, facts);
    const isNew = this.#port.openedAt(subject, name) === undefined;
    if (isNew || verdict.kind === 'explained') this.#differing.delete(key);
    else this.#differing.add(key);
    if (this.#isListed(subject, name, told.minus(explained), key)) return null;
    if (verdict.kind !== 'explained' && !isStill(facts, verdict)) return undefined;
    if (!this.#opened.has(key))
      return this.#open(subject, name, told.minus(explained), { kind: verdict.kind, asOf: facts.asOf });
    if (verdict.kind === 'explained') {
      this.#alarmed.delete(key);
      return null;
    }
    if (verdict.kind === 'watch') return undefined;
    if (this.#isOfOpening(subject, name, verdict)) {
      this.#adjust(subject, name, verdict.difference, 'opening, by trades of others beside it');
      return null;
    }
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

  /** Money that came in and that the exchange lists is booked at once: there is nothing else that it could be. */
  #isListed(subject: 'balance' | 'position', name: string, difference: Decimal, key: string): boolean {
    if (subject !== 'balance' || !this.#opened.has(key) || !difference.gt(this.#tolerance)) return false;
    const isListed = this.#movements.came(name, difference, this.#tolerance);
    if (isListed) this.#adjust(subject, name, difference, 'movement');
    return isListed;
  }

  #isOfOpening(subject: 'balance' | 'position', name: string, verdict: Residual): boolean {
    const openedAt = this.#port.openedAt(subject, name) ?? 0;
    const { instruments } = this.#port.deps;
    const moves = this.#others.map((fill) => ({ ts: fill.ts, amount: movesOf(fill, instruments).get(name) ?? ZERO }));
    return isOfOpening(verdict, openedAt, moves, this.#lagMs);
  }

  /**
   * The first judgement of this start takes over what is there: of what was never opened at once, since orders wait for it; else
   * once readings agree on it, since a fill that is late would be booked as a difference and as a fill.
   */
  #open(
    subject: 'balance' | 'position',
    name: string,
    difference: Decimal,
    { kind, asOf }: { readonly kind: ResidualVerdict['kind']; readonly asOf: number },
  ): null | undefined {
    const key = `${subject}/${name}`;
    const isNew = this.#port.openedAt(subject, name) === undefined;
    if (kind === 'watch' && !isNew) return undefined;
    if (isNew && !this.#hasBegun) return undefined;
    // What others traded just before is in it already, and would be booked again.
    if (isNew && asOf - this.#movedAt(name) < (subject === 'balance' ? SPOT_STILL_MS : this.#lagMs)) return undefined;
    this.#opened.add(key);
    this.#gate.uncompared.delete(key);
    if (subject === 'position') this.#gate.unconfirmed.delete(name);
    if (isNew) this.#adjust(subject, name, difference, 'opening', asOf);
    else if (kind === 'residual') this.#takeOver(subject, name, this.#unsettled(subject, name, difference, asOf), asOf);
    return null;
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
    const { mismatches } = this.#gate;
    if (message !== null) mismatches.set(symbol, message);
    else if (mismatches.get(symbol)?.includes(` of ${cause} `) === true) mismatches.delete(symbol);
  }
}

function residualCode(subject: 'balance' | 'position'): AlarmCode {
  return subject === 'balance' ? 'balance_residual' : 'position_residual';
}
