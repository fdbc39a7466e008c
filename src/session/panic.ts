/**
 * `panic`: cancels every order of the account by a path of its own, which needs neither a journal nor a healthy bot. The
 * running sessions are told by the kill file first, so that nothing new is sent meanwhile. An order is gone when two
 * complete readings in a row show none.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Exchange } from '../exchange/exchange.ts';
import { positionName } from '../execution/positions.ts';
import { Replay } from '../execution/replay.ts';
import { readJournal } from '../execution/journal/verify.ts';
import type { Instruments } from '../model/instrument.ts';
import { messageOf } from '../model/errors.ts';
import { dec, type Decimal, ZERO } from '../model/money.ts';
import type { OrderRequest, PositionSide } from '../model/order.ts';
import type { Clock } from '../model/ports.ts';
import type { Outcome } from '../model/result.ts';
import { writeKillFile } from './kill-file.ts';
import { movedByPanics, writePanicLine, type PanicAccount } from './panic-ledger.ts';
import { folderPaths, readSession, sessionFiles, type SessionFolder } from './store.ts';

const ATTEMPTS = 20;
const PAUSE_MS = 500;

export interface PanicReport {
  /** Sessions whose kill switch was latched. */
  readonly told: readonly string[];
  readonly requests: number;
  /** Orders that the exchange says were cancelled. */
  readonly canceled: number;
  /** Null: not proved. */
  readonly openAfter: number | null;
  readonly flattened: readonly { readonly symbol: string; readonly quantity: string; readonly outcome: string }[];
  readonly problems: readonly string[];
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** A folder that cannot be listed must not stop a panic either. */
function pathsUnder(root: string, problems: string[]): readonly string[] {
  try {
    return folderPaths(root);
  } catch (thrown) {
    problems.push(messageOf(thrown));
    return [];
  }
}

/** The sessions that can be read; the others are told as problems, since a panic must not stop at them. */
function readableSessions(root: string, problems: string[]): readonly SessionFolder[] {
  return pathsUnder(root, problems).flatMap((path) => {
    try {
      return readSession(path) ?? [];
    } catch (thrown) {
      problems.push(messageOf(thrown));
      return [];
    }
  });
}

/** Latches every session that has not ended, and for safety those that cannot be read; answers their ids. */
export function tellSessions(root: string, reason: string, problems: string[]): readonly string[] {
  const sessions = readableSessions(root, problems);
  const known = new Map(sessions.map((session) => [session.path, session.record] as const));
  const told: string[] = [];
  for (const path of pathsUnder(root, [])) {
    const record = known.get(path);
    if (record === undefined ? !existsSync(join(path, sessionFiles.journal)) : record.clean || record.mode !== 'live')
      continue;
    try {
      writeKillFile(join(path, sessionFiles.kill), reason);
      told.push(record?.id ?? basename(path));
    } catch (thrown) {
      problems.push(`${path} could not be told: ${messageOf(thrown)}`);
    }
  }
  return told;
}

function cancelAll(exchange: Exchange): Promise<Outcome> {
  return new Promise((resolve) => {
    exchange.orders.cancelAll(null, { lane: 'kill' }, resolve);
  });
}

export async function cancelEverything(
  exchange: Exchange,
  clock: Clock,
  problems: string[],
): Promise<Pick<PanicReport, 'requests' | 'canceled' | 'openAfter'>> {
  let canceled = 0;
  let empty = 0;
  let requests = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const outcome = await cancelAll(exchange);
    requests++;
    if (outcome.kind === 'accepted') canceled += outcome.canceled?.length ?? 0;
    if (outcome.kind !== 'accepted')
      problems.push(
        `cancel all: ${outcome.kind} ${'message' in outcome ? outcome.message : 'reason' in outcome ? outcome.reason : ''}`,
      );
    const active = await exchange.orders.active();
    if (active.kind === 'complete') {
      empty = active.items.length === 0 ? empty + 1 : 0;
      if (empty === 2) return { requests, canceled, openAfter: 0 };
    } else {
      empty = 0;
      problems.push(`active orders could not be read: ${active.reason}`);
    }
    // Also between two empty readings: a running bot looks for its kill file only every so often.
    await pause(clock, PAUSE_MS);
  }
  const last = await exchange.orders.active();
  return { requests, canceled, openAfter: last.kind === 'complete' ? last.items.length : null };
}

/**
 * Positions of all live sessions of the account: Σ own fills, read from the journals, and what earlier panics sold or
 * bought of it. By symbol, and side in hedge mode.
 */
function heldPositions(root: string, owner: PanicAccount, problems: string[]): ReadonlyMap<string, Decimal> {
  const held = new Map<string, Decimal>(movedByPanics(root, owner));
  for (const { path, record } of readableSessions(root, problems)) {
    if (record.mode !== 'live' || record.account !== owner.account || record.exchange !== owner.exchange) continue;
    try {
      const replay = new Replay();
      for (const row of readJournal(path)) replay.row(row);
      for (const { instrument, positionSide, position } of replay.state.positions.all()) {
        const name = positionName(instrument.symbol, positionSide);
        held.set(name, (held.get(name) ?? ZERO).plus(position.quantity));
      }
    } catch (thrown) {
      problems.push(`${record.id}: ${messageOf(thrown)}`);
    }
  }
  return held;
}

export interface FlattenOptions {
  readonly exchange: Exchange;
  readonly instruments: Instruments;
  /** Where the sessions are. */
  readonly root: string;
  readonly owner: PanicAccount;
  /** Part of the client order ids. */
  readonly unique: string;
}

/**
 * Sends one market order per position, reduce-only on perpetuals; whatever it ends in is said, nothing is repeated.
 */
export async function flattenEverything(
  { exchange, instruments, root, owner, unique }: FlattenOptions,
  problems: string[],
): Promise<PanicReport['flattened']> {
  const done: { symbol: string; quantity: string; outcome: string }[] = [];
  for (const [name, quantity] of heldPositions(root, owner, problems)) {
    const [symbol, positionSide] = splitName(name);
    const instrument = instruments.find(symbol);
    if (instrument === undefined) continue;
    const lots = quantity.abs().div(instrument.spec.lotSize).floor().toNumber();
    const text = instrument.quantityText(lots);
    if (lots === 0 || dec(text).lt(instrument.spec.minQuantity)) continue;
    const side = quantity.isNegative() ? 'buy' : 'sell';
    const id = `panic-${unique}-${name.replace('/', '-')}`;
    const sign = side === 'buy' ? '' : '-';
    writePanicLine(root, { kind: 'sending', id, ...owner, symbol: name, quantity: `${sign}${text}` });
    const { market } = instrument;
    const order = { market, symbol, side, quantity: text, clientOrderId: id } as const;
    const outcome = await sendMarket(
      exchange,
      market === 'spot' ? order : { ...order, positionSide, reduceOnly: true },
    );
    const moved = movedBy(outcome);
    if (moved !== undefined)
      writePanicLine(root, { kind: 'done', id, quantity: `${moved === '0' ? '' : sign}${moved}` });
    if (outcome.kind !== 'accepted')
      problems.push(`${side} ${text} ${name}: ${outcome.kind}; look before you repeat it`);
    done.push({ symbol: name, quantity: `${side} ${text}`, outcome: outcome.kind });
  }
  return done;
}

function splitName(name: string): readonly [symbol: string, positionSide: PositionSide] {
  const [symbol = name, side] = name.split('/');
  return [symbol, side === 'long' || side === 'short' ? side : 'both'];
}

/** What an order has certainly moved; undefined while that is not known. */
function movedBy(outcome: Outcome): string | undefined {
  if (outcome.kind === 'unknown') return undefined;
  if (outcome.kind !== 'accepted') return '0';
  const { order } = outcome;
  return order === undefined || order.status === 'new' || order.status === 'partially_filled'
    ? undefined
    : order.filledQuantity;
}

function sendMarket(exchange: Exchange, order: Omit<OrderRequest, 'type' | 'timeInForce' | 'price'>): Promise<Outcome> {
  const request: OrderRequest = { ...order, type: 'market', timeInForce: 'ioc', price: null };
  return new Promise((resolve) => {
    exchange.orders.create(request, { lane: 'kill' }, resolve);
  });
}
