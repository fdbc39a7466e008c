/**
 * Compares balances and positions with opening, own fills and adjustments. A difference is booked at a start, or when
 * external activity explains it. Any other raises an alarm and closes the gate. Reads the state; writes notes and the
 * gate; returns effects to be carried out.
 */
import type { Balance, VenuePosition } from '../../model/trading/account.ts';
import type { Market } from '../../model/market/instrument.ts';
import { decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { POSITION_SIDES } from '../../model/trading/order.ts';
import { positionName } from '../../spine/positions.ts';
import { adjusted, driftOf, flowed, openSettled, type Account, type AccountNotes } from './account-notes.ts';
import {
  accountRows,
  comparedCurrencies,
  explainedBy,
  quantitiesOf,
  totalsOf,
  type AccountRow,
  type Difference,
  type Subject,
  type Totals,
} from './account-rows.ts';
import type { AccountEffect } from '../finding.ts';
import { movesOf } from './external-moves.ts';
import { cameBy, noteDifference } from './movements.ts';
import type { AccountReadings } from '../readings.ts';
import { isOfOpening, isStill, judgeResidual, type CheckFacts } from './residual.ts';

/** Time by which a balance may lag an external trade, ms. */
const SPOT_STILL_MS = 5_000;

/** After a start a missing position stays in doubt for this long, ms. */
const UNSHOWN_MS = 120_000;

/** A verdict on one name. `message`: why the gate closes; null: explained; undefined: no verdict yet. */
interface Judged {
  readonly message: string | null | undefined;
  readonly effects: readonly AccountEffect[];
}

const UNDECIDED: Judged = { message: undefined, effects: [] };
const EXPLAINED: Judged = { message: null, effects: [] };

/** No rows from incomplete snapshots. */
export function rowsOf(
  account: Account,
  { balances, positions }: Pick<AccountReadings, 'balances' | 'positions'>,
): readonly AccountRow[] {
  const { state, instruments, notes, tolerance } = account;
  const totals = balances.kind === 'complete' ? totalsOf(balances.items) : null;
  const quantities = positions?.kind === 'complete' ? quantitiesOf(positions.items) : null;
  const { spot } = comparedCurrencies(state, instruments, notes.watched, notes.movedAt);
  const names = quantities === null ? [] : positionNames(account, quantities).keys();
  return [
    ...accountRows(state, 'balance', spot, totals, tolerance),
    ...accountRows(state, 'position', names, quantities, ZERO),
  ];
}

export function checkBalances(account: Account, rows: readonly Balance[], facts: CheckFacts): readonly AccountEffect[] {
  const { state, instruments, notes, tolerance } = account;
  const reported = totalsOf(rows);
  const totalOf = (currency: string): Decimal => reported.get(currency) ?? ZERO;
  notes.newest.balance = { told: reported, asOf: facts.asOf };
  const { spot, settled, settledLater } = comparedCurrencies(state, instruments, notes.watched, notes.movedAt);
  const effects: AccountEffect[] = [];
  let isDifferent = false;
  for (const currency of spot) {
    const difference = totalOf(currency).minus(state.explainedBalance(currency));
    const judged = judge(account, 'balance', currency, totalOf(currency), facts);
    effects.push(...judged.effects);
    const isBooked = judged.effects.some(({ kind }) => kind === 'adjust');
    const isOpen = state.openedAt('balance', currency) !== undefined;
    isDifferent ||= isOpen && !isBooked && difference.abs().gt(tolerance);
    for (const { symbol, base, quote } of instruments.all())
      if (base === currency || quote === currency) shut(account, symbol, currency, judged);
  }
  for (const currency of settled) {
    const [isSame, booked] = checkSettled(account, currency, totalOf(currency), facts);
    effects.push(...booked);
    isDifferent ||= !isSame;
  }
  for (const currency of settledLater) effects.push(...openSettled(account, currency, totalOf(currency), facts.asOf));
  noteDifference(notes.movements, isDifferent, facts.asOf);
  return effects;
}

export function checkPositions(
  account: Account,
  rows: readonly VenuePosition[],
  facts: CheckFacts,
): readonly AccountEffect[] {
  const reported = quantitiesOf(rows);
  const before = account.notes.newest.position;
  account.notes.newest.position = { told: reported, asOf: facts.asOf };
  return [...positionNames(account, reported)].flatMap(([name, symbol]) => {
    const none = openedAsNone(account, name, before);
    if (none !== null) return [none];
    const total = reported.get(name);
    const key = `position/${name}`;
    const isDoubted = unshownMs(account, name, total, facts.asOf) < UNSHOWN_MS;
    if (isDoubted && !account.notes.opened.has(key)) {
      judgeResidual(account.notes.seen, key, ZERO, account.state.explainedPosition(name), facts, account);
      return [];
    }
    const judged = judge(account, 'position', name, total ?? ZERO, facts);
    shut(account, symbol, name, judged);
    return judged.effects;
  });
}

/** Orders wait for no side of a hedge. One that the list before lacked began with nothing: what it shows now may be an own fill. */
function openedAsNone(
  account: Account,
  name: string,
  before: AccountNotes['newest']['position'],
): AccountEffect | null {
  const { notes, state, gate } = account;
  const isNew = notes.hasBegun && state.openedAt('position', name) === undefined;
  if (!isNew || before === undefined || before.told.has(name) || !state.explainedPosition(name).isZero()) return null;
  if (gate.uncompared.has(`position/${name}`) || gate.unconfirmed.has(name)) return null;
  notes.opened.add(`position/${name}`);
  return adjusted(account, { subject: 'position', name, difference: ZERO }, 'opening', before.asOf);
}

/**
 * Profit is not itemised, so a settlement currency never raises an alarm. Only a matching transfer is booked. True when
 * unchanged.
 */
function checkSettled(
  account: Account,
  currency: string,
  reported: Decimal,
  facts: CheckFacts,
): readonly [isSame: boolean, readonly AccountEffect[]] {
  const { state, notes } = account;
  const opening = openSettled(account, currency, reported, facts.asOf);
  if (!isStill(facts)) return [true, opening];
  const drift = opening.length > 0 ? ZERO : reported.minus(state.explainedBalance(currency));
  const before = driftOf(account, currency);
  if (before === undefined) notes.drifts.set(currency, drift);
  const verdict = judgeResidual(notes.seen, `settled/${currency}`, drift, before ?? drift, facts, account);
  if (verdict.kind === 'explained') return [true, opening];
  const change = drift.minus(before ?? drift);
  const isSought = verdict.kind === 'watch' && change.isPositive();
  const came = isSought ? cameBy(account, currency, change, state.resumedFrom) : [];
  if (verdict.kind === 'watch' && came.length === 0) return [false, opening];
  notes.drifts.set(currency, drift);
  return [true, [...opening, ...came]];
}

function positionNames({ state, instruments, notes, gate }: Account, reported: Totals): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { market, symbol } of instruments.all()) {
    if (market !== 'derivative') continue;
    for (const positionSide of POSITION_SIDES) {
      const name = positionName(symbol, positionSide);
      const isUsed =
        reported.has(name) ||
        gate.unconfirmed.has(name) ||
        notes.opened.has(`position/${name}`) ||
        state.openedAt('position', name) !== undefined;
      if (positionSide === 'both' || isUsed || !state.explainedPosition(name).isZero()) names.set(name, symbol);
    }
  }
  return names;
}

/** ms for which a held position has been missing; `Infinity`: not missing. */
function unshownMs({ state, notes }: Account, name: string, reported: Decimal | undefined, asOf: number): number {
  if (reported !== undefined || state.explainedPosition(name).isZero()) {
    notes.unshown.delete(name);
    return Number.POSITIVE_INFINITY;
  }
  const since = notes.unshown.get(name) ?? asOf;
  notes.unshown.set(name, since);
  return asOf - since;
}

function judge(account: Account, subject: Subject, name: string, reported: Decimal, facts: CheckFacts): Judged {
  const { state, notes, tolerance } = account;
  const key = `${subject}/${name}`;
  const explained = explainedBy(state, subject, name);
  const difference = reported.minus(explained);
  const verdict = judgeResidual(notes.seen, key, reported, explained, facts, account);
  const of = { subject, name, difference };
  const isNew = state.openedAt(subject, name) === undefined;
  if (isNew || verdict.kind === 'explained') notes.differing.delete(key);
  else notes.differing.add(key);
  const book = (cause: string): AccountEffect => adjusted(account, of, cause);
  if (subject === 'balance' && notes.opened.has(key) && difference.gt(tolerance)) {
    const came = cameBy(account, name, difference);
    if (came.length > 0) return { message: null, effects: [...came, book('movement')] };
  }
  if (verdict.kind !== 'explained' && !isStill(facts, verdict)) return UNDECIDED;
  if (!notes.opened.has(key)) return open(account, of, verdict.kind, facts.asOf);
  if (verdict.kind === 'explained') {
    notes.alarmed.delete(key);
    return EXPLAINED;
  }
  if (verdict.kind === 'watch') return UNDECIDED;
  const moves = notes.others.map((fill) => ({
    ts: fill.ts,
    amount: movesOf(fill, account.instruments).get(name) ?? ZERO,
  }));
  if (isOfOpening(verdict, state.openedAt(subject, name) ?? 0, moves, account.lagMs))
    return { message: null, effects: [book('opening, by external trades beside it')] };
  // Incoming money is no risk. Outgoing money needs an explanation, and so does what a trade in doubt may have left.
  if (subject === 'balance' && difference.isPositive() && !isOfDoubt(state, name))
    return { message: null, effects: [book('credit'), flowed(account, name, difference, verdict.since, 'credit')] };
  const message = `the ${subject} of ${name} differs from own fills by ${decimalText(difference)}`;
  if (notes.alarmed.has(key)) return { message, effects: [] };
  notes.alarmed.add(key);
  return { message, effects: [{ kind: 'alarm', code: `${subject}_residual`, message }] };
}

/** A trade that the list of own trades contradicts moves the currency: the human's word on it explains the difference. */
function isOfDoubt({ contradicted, orders }: Account['state'], currency: string): boolean {
  for (const { intentId } of contradicted.values()) {
    const instrument = orders.byIntent(intentId)?.instrument;
    if ([instrument?.base, instrument?.quote, instrument?.settle].includes(currency)) return true;
  }
  return false;
}

/**
 * A new subject is adopted at once, because orders wait for it. Otherwise snapshots must agree, or a late fill would be
 * booked twice.
 */
function open(account: Account, of: Difference, kind: 'explained' | 'watch' | 'residual', asOf: number): Judged {
  const { state, notes, gate, lagMs } = account;
  const { subject, name } = of;
  const key = `${subject}/${name}`;
  const isNew = state.openedAt(subject, name) === undefined;
  if (kind === 'watch' && !isNew) return UNDECIDED;
  if (isNew && !notes.hasBegun) return UNDECIDED;
  // The snapshot may not contain recent external trades yet.
  const stillMs = subject === 'balance' ? SPOT_STILL_MS : lagMs;
  const stillAt = (notes.movedAt.get(name) ?? 0) + stillMs;
  if (isNew && asOf < stillAt) {
    gate.waitsTo.set(key, stillAt);
    return UNDECIDED;
  }
  notes.opened.add(key);
  gate.uncompared.delete(key);
  gate.waitsTo.delete(key);
  if (subject === 'position') gate.unconfirmed.delete(name);
  if (isNew) return { message: null, effects: [adjusted(account, of, 'opening', asOf)] };
  return kind === 'residual' ? { message: null, effects: takenOver(account, of, asOf) } : EXPLAINED;
}

function takenOver(account: Account, of: Difference, asOf: number): readonly AccountEffect[] {
  const { state, notes } = account;
  const { subject, name, difference } = of;
  const isBalance = subject === 'balance';
  const since = state.resumedFrom;
  const came = isBalance && difference.isPositive() ? cameBy(account, name, difference, since) : [];
  if (came.length > 0) return [...came, adjusted(account, of, 'movement')];
  if (isBalance) notes.movements.takenOver.set(name, asOf);
  const message = `the ${subject} of ${name} changed by ${decimalText(difference)} while no session ran; booked`;
  return [
    adjusted(account, of, 'while down'),
    ...(isBalance ? [flowed(account, name, difference, since, 'while down')] : []),
    { kind: 'alarm', code: `${subject}_residual`, message },
  ];
}

function shut({ gate: { mismatches } }: Account, symbol: string, cause: string, { message }: Judged): void {
  if (message === undefined) return;
  if (message !== null) mismatches.set(symbol, message);
  else if (mismatches.get(symbol)?.includes(` of ${cause} `) === true) mismatches.delete(symbol);
}

/** A symbol's first fills, or a contradicted side, block new risk until a snapshot has moved as they were booked. */
export function proveMoves(
  { state, instruments, notes, gate, tolerance }: Account,
  market: Market,
  reported: Totals,
): void {
  const subject = market === 'spot' ? 'balance' : 'position';
  const beyond = (name: string): Decimal => (reported.get(name) ?? ZERO).minus(explainedBy(state, subject, name));
  // A fill before the first snapshot leaves the earlier amount unknown.
  const isProved = (name: string): boolean =>
    (!notes.read.has(market) && state.openedAt(subject, name) === undefined) ||
    [ZERO, notes.before.get(name) ?? ZERO].some((one) => beyond(name).minus(one).abs().lte(tolerance));
  const sought = new Set<string>();
  for (const symbol of gate.unproved) {
    const instrument = instruments.find(symbol);
    if (instrument?.market !== market) continue;
    const names = market === 'spot' ? [instrument.base] : POSITION_SIDES.map((side) => positionName(symbol, side));
    if (names.every(isProved)) gate.unproved.delete(symbol);
    else for (const name of names) sought.add(name);
  }
  notes.read.add(market);
  for (const name of reported.keys()) if (!sought.has(name)) notes.before.set(name, beyond(name));
}
