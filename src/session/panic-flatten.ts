/**
 * The second half of `panic --flatten`: market orders against what the live sessions hold. It reads their journals, so it
 * is apart from `panic.ts`, which needs none, and is only loaded when it is asked for.
 */
import type { Exchange } from '../exchange/exchange.ts';
import { readJournal } from '../execution/journal/verify.ts';
import { positionName } from '../execution/positions.ts';
import { Replay } from '../execution/replay.ts';
import { messageOf } from '../model/errors.ts';
import type { Instruments } from '../model/instrument.ts';
import { dec, ZERO, type Decimal } from '../model/money.ts';
import type { OrderRequest, PositionSide } from '../model/order.ts';
import type { Outcome } from '../model/result.ts';
import { movedByPanics, writePanicLine, type PanicAccount } from './panic-ledger.ts';
import { readableSessions, type Problems } from './panic.ts';

/** One position and what its closing order ended in. */
export interface Flattened {
  readonly symbol: string;
  readonly quantity: string;
  readonly outcome: string;
}

/**
 * Positions of all live sessions of the account: Σ own fills, read from the journals, and what earlier panics sold or
 * bought of it. By symbol, and side in hedge mode.
 */
function heldPositions(root: string, owner: PanicAccount, problems: Problems): ReadonlyMap<string, Decimal> {
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
      problems.add(`${record.id}: ${messageOf(thrown)}`);
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
  problems: Problems,
): Promise<readonly Flattened[]> {
  const done: Flattened[] = [];
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
      problems.add(`${side} ${text} ${name}: ${outcome.kind}; look before you repeat it`);
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
