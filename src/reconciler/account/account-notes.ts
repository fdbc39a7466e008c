/**
 * Shared by the checks of the account: notes of the passes, effects to be carried out, and openings before a first
 * order.
 */
import type { AccountMovement } from '../../model/trading/account.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Instruments, Market } from '../../model/market/instrument.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { positionName } from '../../spine/positions.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { POSITION_SIDES } from '../../model/trading/order.ts';
import { explainedBy, type Difference, type Subject, type Totals } from './account-rows.ts';
import { movesOf } from './external-moves.ts';
import type { AccountEffect } from '../finding.ts';
import type { ReconcileGate } from '../gate.ts';
import { explainedSince, type SeenDifference } from './residual.ts';

/** Notes of external transfers. */
export class MovementNotes {
  /** Unix ms of the oldest open difference; null: none. */
  since: number | null = null;
  /** Unix ms. */
  explainedAt = Number.POSITIVE_INFINITY;
  isStarted = false;
  wasRead = false;
  /** Unix ms of the first comparison of this process. */
  firstAt: number | null = null;
  /** Currency → Unix ms of its adoption, which contains older rows. */
  readonly takenOver = new Map<string, number>();
  inward: readonly AccountMovement[] = [];
}

/** Notes of the passes. Keys: `<subject>/<name>`, and `settled/<currency>` for drifts. */
export class AccountNotes {
  readonly seen = new Map<string, SeenDifference>();
  /** Openings confirmed in this process. */
  readonly opened = new Set<string>();
  readonly watched = new Set<string>();
  readonly alarmed = new Set<string>();
  readonly differing = new Set<string>();
  /** Held but missing in a list since the start → Unix ms of the first such list. */
  readonly unshown = new Map<string, number>();
  /** Settlement currency → unexplained part of its balance at the last pass. */
  readonly drifts = new Map<string, Decimal>();
  /** Name → Unix ms of its newest external trade. */
  readonly movedAt = new Map<string, number>();
  /** Name → unexplained part while no fill waited for confirmation. */
  readonly before = new Map<string, Decimal>();
  /** Markets with a snapshot in this process. What it lacked was zero. */
  readonly read = new Set<Market>();
  readonly movements = new MovementNotes();
  readonly newest: Partial<Record<Subject, { readonly told: Totals; readonly asOf: number }>> = {};
  /** External trades of this pass. */
  others: readonly VenueFill[] = [];
  /** False outside a session, where an opening would hide a difference. */
  hasBegun = false;
  count = 0;
}

export interface Account {
  readonly state: StateView;
  readonly instruments: Pick<Instruments, 'all' | 'find'>;
  readonly notes: AccountNotes;
  readonly gate: ReconcileGate;
  /** Unix ms. */
  readonly now: number;
  readonly tolerance: Decimal;
  /** By which lists and balances may lag each other. */
  readonly lagMs: number;
}

/** Blocks new risk in `symbols` until the opening is confirmed and journalled. */
export function begin(account: Account, symbols: Iterable<string>): readonly AccountEffect[] {
  const { notes, gate, state, instruments } = account;
  notes.hasBegun = true;
  const effects = [...symbols].flatMap((symbol) => watch(account, symbol));
  for (const { market, symbol } of instruments.all()) {
    if (market !== 'derivative') continue;
    for (const positionSide of POSITION_SIDES) {
      const name = positionName(symbol, positionSide);
      if (!state.explainedPosition(name).isZero()) gate.unconfirmed.set(name, symbol);
    }
  }
  return effects;
}

/** Before the first order: journals the opening from the newest snapshot, or compares with that what was opened before. */
export function watch(account: Account, symbol: string): readonly AccountEffect[] {
  const { notes, instruments } = account;
  const instrument = instruments.find(symbol);
  if (instrument === undefined || notes.watched.has(symbol)) return [];
  notes.watched.add(symbol);
  const { market, base, quote, settle } = instrument;
  if (market === 'spot') return [base, quote].flatMap((currency) => awaited(account, 'balance', currency, symbol));
  return [
    ...awaited(account, 'balance', settle, symbol),
    ...awaited(account, 'position', positionName(symbol, 'both'), symbol),
  ];
}

function awaited(account: Account, subject: Subject, name: string, symbol: string): readonly AccountEffect[] {
  const { notes, gate, state, tolerance } = account;
  const key = `${subject}/${name}`;
  const newest = notes.newest[subject];
  if (notes.opened.has(key)) return [];
  if (newest !== undefined) {
    const difference = (newest.told.get(name) ?? ZERO).minus(explainedBy(state, subject, name));
    const isNew = state.openedAt(subject, name) === undefined;
    if (isNew || difference.abs().lte(tolerance)) {
      notes.opened.add(key);
      return isNew ? [adjusted(account, { subject, name, difference }, 'opening', newest.asOf)] : [];
    }
  }
  gate.uncompared.set(key, new Set([...(gate.uncompared.get(key) ?? []), symbol]));
  return [];
}

/** The amount that a simulated venue grants is the opening. */
export function grantedTo({ notes, gate }: Account, currency: string): void {
  const key = `balance/${currency}`;
  notes.opened.add(key);
  gate.uncompared.delete(key);
}

export function bookedOwn({ notes, instruments }: Account, fill: VenueFill, ts: number): void {
  const subject = fill.market === 'derivative' ? 'position' : 'balance';
  for (const name of movesOf(fill, instruments).keys()) explainedSince(notes.seen, `${subject}/${name}`, ts);
}

export function driftOf({ state, notes }: Account, currency: string): Decimal | undefined {
  const before = state.readTo?.settled?.[currency];
  return notes.drifts.get(currency) ?? (before === undefined ? undefined : dec(before));
}

export function openSettled(
  account: Account,
  currency: string,
  reported: Decimal,
  asOf: number,
): readonly AccountEffect[] {
  const { state, notes, gate } = account;
  const key = `balance/${currency}`;
  if (notes.opened.has(key) || !notes.hasBegun) return [];
  notes.opened.add(key);
  gate.uncompared.delete(key);
  if (state.openedAt('balance', currency) !== undefined || driftOf(account, currency) !== undefined) return [];
  const difference = reported.minus(state.explainedBalance(currency));
  return [adjusted(account, { subject: 'balance', name: currency, difference }, 'opening', asOf)];
}

export function adjusted({ state, notes }: Account, of: Difference, cause: string, asOf?: number): AccountEffect {
  const { subject, name, difference } = of;
  const id = `${state.boot}/${subject}/${name}/${++notes.count}`;
  const what = { id, subject, name, quantity: decimalText(difference), cause };
  return { kind: 'adjust', adjustment: asOf === undefined ? what : { ...what, asOf } };
}

/** Belongs to the adjustment before it, and has its count. */
export function flowed(
  { state, notes }: Account,
  currency: string,
  amount: Decimal,
  at: number,
  cause: 'credit' | 'while down',
): AccountEffect {
  const id = `${state.boot}/balance/${currency}/${notes.count}`;
  return { kind: 'flow', flow: { id, currency, amount: decimalText(amount), at, cause } };
}
