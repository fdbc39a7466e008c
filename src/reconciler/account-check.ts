/**
 * Compares balances and positions with opening, own fills and adjustments. A difference is booked at a start or when
 * external activity explains it; else it alarms and closes the gate.
 */
import type { Balance, VenuePosition } from '../model/account.ts';
import type { VenueFill } from '../model/fill.ts';
import { dec, decimalText, ZERO, type Decimal } from '../model/money.ts';
import type { AlarmCode } from '../spine/events.ts';
import { positionName } from '../spine/positions.ts';
import { ComparedCurrencies, POSITION_SIDES } from './compared-currencies.ts';
import { accountRows, quantitiesOf, totalsOf, type AccountRow } from './account-rows.ts';
import { movesOf } from './external-moves.ts';
import type { ReconcileGate } from './gate.ts';
import type { Movements } from './movements.ts';
import type { ReconcilerPort } from './port.ts';
import type { AccountReadings } from './readings.ts';
import { isOfOpening, type Residual } from './opening.ts';
import { isStill, Residuals, type CheckFacts, type ResidualVerdict } from './residual.ts';

/** A balance may lag an external trade by this, ms. */
const SPOT_STILL_MS = 5_000;

/** After a start a missing position is doubted for this long, ms. */
const UNSHOWN_MS = 120_000;

export interface AccountCheckDeps {
  readonly port: ReconcilerPort;
  readonly gate: ReconcileGate;
  readonly movements: Movements;
  readonly movedAt: (name: string) => number;
  readonly drifts: Map<string, Decimal>;
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
  readonly #watched = new Set<string>();
  readonly #currencies: ComparedCurrencies;
  #others: readonly VenueFill[] = [];
  readonly #newest: Partial<Record<AccountRow['subject'], { told: ReadonlyMap<string, Decimal>; asOf: number }>> = {};
  /** Outside a session an opening would hide a difference. */
  #hasBegun = false;
  readonly #alarmed = new Set<string>();
  readonly #differing = new Set<string>();
  /** Held but not listed since the start → Unix ms of the first such list. */
  readonly #unshown = new Map<string, number>();
  readonly #drifts: Map<string, Decimal>;
  #count = 0;

  constructor({ port, gate, movements, movedAt, drifts }: AccountCheckDeps) {
    this.#drifts = drifts;
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

  get #state(): ReconcilerPort['state'] {
    return this.#port.state;
  }

  /** Blocks new risk in `symbols` until the opening is confirmed and journalled. */
  begin(symbols: Iterable<string>): void {
    this.#hasBegun = true;
    for (const symbol of symbols) this.watch(symbol);
    for (const { market, symbol } of this.#port.deps.instruments.all()) {
      if (market !== 'derivative') continue;
      for (const positionSide of POSITION_SIDES) {
        const name = positionName(symbol, positionSide);
        if (!this.#state.explainedPosition(name).isZero()) this.#gate.unconfirmed.set(name, symbol);
      }
    }
  }

  /** Journals the opening from the newest snapshot before the first order. */
  watch(symbol: string): void {
    const instrument = this.#port.deps.instruments.find(symbol);
    if (instrument === undefined || this.#watched.has(symbol)) return;
    this.#watched.add(symbol);
    const { market, base, quote, settle } = instrument;
    const isSpot = market === 'spot';
    for (const currency of isSpot ? [base, quote] : [settle]) this.#await('balance', currency, symbol);
    if (!isSpot) this.#await('position', positionName(symbol, 'both'), symbol);
  }

  /** A simulated venue's grant is the opening. */
  granted(currency: string): void {
    const key = `balance/${currency}`;
    this.#opened.add(key);
    this.#gate.uncompared.delete(key);
  }

  #await(subject: 'balance' | 'position', name: string, symbol: string): void {
    const key = `${subject}/${name}`;
    const newest = this.#newest[subject];
    if (this.#opened.has(key)) return;
    if (newest !== undefined && this.#state.openedAt(subject, name) === undefined) {
      const told = newest.told.get(name) ?? ZERO;
      const explained =
        subject === 'balance' ? this.#state.explainedBalance(name) : this.#state.explainedPosition(name);
      this.#opened.add(key);
      this.#adjust(subject, name, told.minus(explained), 'opening', newest.asOf);
      return;
    }
    this.#gate.uncompared.set(key, new Set([...(this.#gate.uncompared.get(key) ?? []), symbol]));
  }

  sawOthers(fills: readonly VenueFill[]): void {
    this.#others = fills;
  }

  /** An external trade at `ts` (Unix ms) was booked. */
  booked(subject: 'balance' | 'position', name: string, ts: number): void {
    this.#residuals.explained(`${subject}/${name}`, ts);
  }

  bookedOwn(fill: VenueFill, ts: number): void {
    const subject = fill.market === 'derivative' ? 'position' : 'balance';
    for (const name of movesOf(fill, this.#port.deps.instruments).keys()) this.booked(subject, name, ts);
  }

  get differs(): boolean {
    return this.#differing.size > 0;
  }

  /** No rows from incomplete snapshots. */
  rows({ balances, positions }: Pick<AccountReadings, 'balances' | 'positions'>): readonly AccountRow[] {
    const totals = balances.kind === 'complete' ? totalsOf(balances.items) : null;
    const quantities = positions?.kind === 'complete' ? quantitiesOf(positions.items) : null;
    return [
      ...accountRows(this.#state, 'balance', totals === null ? [] : this.#currencies.ofSpot(), totals, this.#tolerance),
      ...accountRows(
        this.#state,
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
    for (const currency of this.#currencies.settledLater())
      this.#openSettled(currency, told.get(currency) ?? ZERO, facts.asOf);
    this.#movements.differs(isDifferent, facts.asOf);
  }

  #isExplained(subject: 'balance', currency: string, told: Decimal): boolean {
    if (this.#state.openedAt(subject, currency) === undefined) return true;
    return told.minus(this.#state.explainedBalance(currency)).abs().lte(this.#tolerance);
  }

  /**
   * Profit is not itemised, so a settlement currency never alarms; only a matching transfer is booked. True when
   * unchanged.
   */
  #settled(currency: string, told: Decimal, facts: CheckFacts): boolean {
    const key = `settled/${currency}`;
    this.#openSettled(currency, told, facts.asOf);
    if (!isStill(facts)) return true;
    const drift = told.minus(this.#state.explainedBalance(currency));
    const before = this.#drift(currency);
    if (before === undefined) this.#drifts.set(currency, drift);
    const verdict = this.#residuals.judge(key, drift, before ?? drift, facts);
    if (verdict.kind === 'explained') return true;
    const change = drift.minus(before ?? drift);
    if (
      verdict.kind === 'watch' &&
      !(change.isPositive() && this.#movements.came(currency, change, this.#tolerance, this.#state.resumedFrom))
    )
      return false;
    this.#drifts.set(currency, drift);
    return true;
  }

  #drift(currency: string): Decimal | undefined {
    const before = this.#state.readTo?.settled?.[currency];
    return this.#drifts.get(currency) ?? (before === undefined ? undefined : dec(before));
  }

  #openSettled(currency: string, told: Decimal, asOf: number): void {
    const key = `balance/${currency}`;
    if (this.#opened.has(key) || !this.#hasBegun) return;
    this.#opened.add(key);
    this.#gate.uncompared.delete(key);
    if (this.#state.openedAt('balance', currency) !== undefined || this.#drift(currency) !== undefined) return;
    this.#adjust('balance', currency, told.minus(this.#state.explainedBalance(currency)), 'opening', asOf);
  }

  positions(rows: readonly VenuePosition[], facts: CheckFacts): void {
    const told = quantitiesOf(rows);
    this.#newest.position = { told, asOf: facts.asOf };
    for (const [name, symbol] of this.#positionNames(told)) this.#position(symbol, name, told.get(name), facts);
  }

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
          this.#state.openedAt('position', name) !== undefined;
        if (positionSide === 'both' || isUsed || !this.#state.explainedPosition(name).isZero()) names.set(name, symbol);
      }
    }
    return names;
  }

  #balance(currency: string, told: Decimal, facts: CheckFacts): void {
    const explained = this.#state.explainedBalance(currency);
    const settled = this.#judge('balance', currency, told, explained, facts);
    if (settled === undefined) return;
    for (const { symbol, base, quote } of this.#port.deps.instruments.all()) {
      if (base === currency || quote === currency) this.#close(symbol, currency, settled);
    }
  }

  /** `told`: undefined when not listed. */
  #position(symbol: string, name: string, told: Decimal | undefined, facts: CheckFacts): void {
    const explained = this.#state.explainedPosition(name);
    const isDoubted = this.#unshownMs(name, told, explained, facts.asOf) < UNSHOWN_MS;
    if (isDoubted && !this.#opened.has(`position/${name}`)) {
      this.#residuals.judge(`position/${name}`, ZERO, explained, facts);
      return;
    }
    const settled = this.#judge('position', name, told ?? ZERO, explained, facts);
    if (settled !== undefined) this.#close(symbol, name, settled);
  }

  /** ms for which a held position is missing; `Infinity`: not missing. */
  #unshownMs(name: string, told: Decimal | undefined, explained: Decimal, asOf: number): number {
    if (told !== undefined || explained.isZero()) {
      this.#unshown.delete(name);
      return Number.POSITIVE_INFINITY;
    }
    const since = this.#unshown.get(name) ?? asOf;
    this.#unshown.set(name, since);
    return asOf - since;
  }

  /** Null: explained. Text: why the gate closes. Undefined: no verdict yet. */
  #judge(
    subject: 'balance' | 'position',
    name: string,
    told: Decimal,
    explained: Decimal,
    facts: CheckFacts,
  ): string | null | undefined {
    const key = `${subject}/${name}`;
    const verdict = this.#residuals.judge(key, told, explained, facts);
    const isNew = this.#state.openedAt(subject, name) === undefined;
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
    // Incoming money is no risk; outgoing money needs a reason.
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

  #isListed(subject: 'balance' | 'position', name: string, difference: Decimal, key: string): boolean {
    if (subject !== 'balance' || !this.#opened.has(key) || !difference.gt(this.#tolerance)) return false;
    const isListed = this.#movements.came(name, difference, this.#tolerance);
    if (isListed) this.#adjust(subject, name, difference, 'movement');
    return isListed;
  }

  #isOfOpening(subject: 'balance' | 'position', name: string, verdict: Residual): boolean {
    const openedAt = this.#state.openedAt(subject, name) ?? 0;
    const { instruments } = this.#port.deps;
    const moves = this.#others.map((fill) => ({ ts: fill.ts, amount: movesOf(fill, instruments).get(name) ?? ZERO }));
    return isOfOpening(verdict, openedAt, moves, this.#lagMs);
  }

  /**
   * A new subject is taken over at once, because orders wait. Otherwise snapshots must agree, or a late fill would be
   * booked twice.
   */
  #open(
    subject: 'balance' | 'position',
    name: string,
    difference: Decimal,
    { kind, asOf }: { readonly kind: ResidualVerdict['kind']; readonly asOf: number },
  ): null | undefined {
    const key = `${subject}/${name}`;
    const isNew = this.#state.openedAt(subject, name) === undefined;
    if (kind === 'watch' && !isNew) return undefined;
    if (isNew && !this.#hasBegun) return undefined;
    // The snapshot may not contain recent external trades yet.
    if (isNew && asOf - this.#movedAt(name) < (subject === 'balance' ? SPOT_STILL_MS : this.#lagMs)) return undefined;
    this.#opened.add(key);
    this.#gate.uncompared.delete(key);
    if (subject === 'position') this.#gate.unconfirmed.delete(name);
    if (isNew) this.#adjust(subject, name, difference, 'opening', asOf);
    else if (kind === 'residual') this.#takeOver(subject, name, difference, asOf);
    return null;
  }

  #takeOver(subject: 'balance' | 'position', name: string, difference: Decimal, asOf: number): void {
    if (subject === 'balance') {
      if (difference.isPositive() && this.#movements.came(name, difference, this.#tolerance, this.#state.resumedFrom)) {
        this.#adjust(subject, name, difference, 'movement');
        return;
      }
      this.#movements.tookOver(name, asOf);
    }
    this.#adjust(subject, name, difference, 'while down');
    if (subject === 'balance') this.#flow(name, difference, this.#state.resumedFrom, 'while down');
    this.#port.alarm(
      residualCode(subject),
      `the ${subject} of ${name} changed by ${decimalText(difference)} while this was not running; taken over`,
    );
  }

  #adjust(subject: 'balance' | 'position', name: string, difference: Decimal, cause: string, asOf?: number): void {
    const id = `${this.#state.boot}/${subject}/${name}/${++this.#count}`;
    const what = { id, subject, name, quantity: decimalText(difference), cause };
    this.#port.adjust(asOf === undefined ? what : { ...what, asOf });
  }

  #flow(currency: string, amount: Decimal, at: number, cause: 'credit' | 'while down'): void {
    const id = `${this.#state.boot}/balance/${currency}/${this.#count}`;
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
