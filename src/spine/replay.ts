/**
 * Rebuilds the state from journal rows. A start row closes what the earlier process left open: intents without SENDING
 * were not sent, those with SENDING and no outcome are unknown. After a restore both are unknown.
 */
import { hash } from 'node:crypto';
import { Instruments, type Instrument } from '../model/market/instrument.ts';
import type { JournalRow, SessionEntry } from '../model/entries/journal.ts';
import { decimalText } from '../model/numbers/money.ts';
import { apply, applyCancel, applyCreate, applyToOrder, isFact, isOfOrder, known } from './spine.ts';
import { canonicalJson } from '../model/text/canonical.ts';
import { programKinds } from '../model/trading/program.ts';
import { filledLots, isClosed } from './orders/order-machine.ts';
import { sessionOfBoot } from './intent-id.ts';
import { regrid } from './regrid.ts';
import { TradingState, type StateView } from './trading-state.ts';

export class Replay {
  readonly state = new TradingState();
  rows = 0;
  fills = 0;
  readonly instruments = new Instruments();
  readonly #instrumentOf = (symbol: string): Instrument | undefined => this.instruments.find(symbol);

  row(row: JournalRow): void {
    const { state } = this;
    const { entry } = row;
    this.rows++;
    if ((entry.kind === 'fill' && entry.corrects !== true) || entry.kind === 'liquidation') this.fills++;
    if (entry.kind === 'session' && entry.event === 'start') state.resumedFrom = state.lastTs;
    state.lastTs = row.ts;
    if (state.bornAt === 0) state.bornAt = row.ts;
    switch (entry.kind) {
      case 'session':
        if (entry.facts?.['account'] !== undefined) state.owner ??= entry.facts;
        return this.#session(entry);
      case 'instrument':
        return regrid(state, this.instruments.add(entry.spec));
      case 'intent':
        if (entry.command === 'cancel') applyCancel(state, entry);
        else applyCreate(state, entry, known(this.#instrumentOf, entry.order.symbol), row.ts);
        return;
      case 'denial':
        // A denied action has used its ref too.
        if (TAKING_REFS.has(entry.action) && entry.reason !== 'duplicate_ref' && entry.ref !== undefined)
          state.refs.restore(entry.strategy, entry.ref, entry.auto === true);
        return;
      default:
        if (isOfOrder(entry)) {
          const order = state.orders.byIntent(entry.intentId);
          // Absent for cancels and forgotten orders.
          if (order !== undefined) applyToOrder(state, order, entry, row.ts);
        } else if (isFact(entry)) {
          apply(state, entry, row.ts, this.#instrumentOf);
          if (entry.kind === 'restored' && entry.event === 'restored') this.#mayHaveLeft(row.ts);
        }
    }
  }

  #session({ event, boot, bootId }: SessionEntry): void {
    const { state } = this;
    const wasClean = state.cleanStop;
    state.cleanStop = event === 'stop';
    if (event === 'stop') {
      state.money.stopped();
      return;
    }
    state.stopping.clear();
    if (wasClean) state.flattening.clear();
    state.boot = boot;
    state.sessions.add(sessionOfBoot(bootId));
    state.undivided.started();
    state.money.boot();
    // A copy, because closing removes from the list.
    const live = [...state.orders.allLive()];
    for (const order of live) {
      if (order.progress.state === 'pending')
        state.close(order, 'denied', 'not_sent', 'the process ended before it was sent');
      else if (order.progress.state === 'sending')
        state.outcome(order, { kind: 'unknown', reason: 'the process ended before the answer' }, order.sentAt);
    }
  }

  /** After a restore: the row that said it was sent may be lost. */
  #mayHaveLeft(ts: number): void {
    this.state.money.mayHaveLeft(ts);
    for (const order of this.state.orders.allLive()) {
      if (order.progress.state !== 'pending') continue;
      this.state.sending(order, ts, null);
      this.state.outcome(
        order,
        { kind: 'unknown', reason: 'the backup ends before its outcome: it may have been sent' },
        ts,
      );
    }
  }
}

const TAKING_REFS: ReadonlySet<string> = new Set(['place', ...programKinds]);

export function replayRows(rows: Iterable<JournalRow>): Replay {
  const replay = new Replay();
  for (const row of rows) replay.row(row);
  return replay;
}

/** Hash of everything that the journal determines, equal for live and replayed state. */
export function stateHash(state: StateView): string {
  const orders: (readonly [string, string, number, number])[] = [];
  for (const { intentId, progress } of state.orders.allLive()) {
    orders.push([intentId, progress.state, filledLots(progress), progress.fillLots]);
  }
  orders.sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const positions = [...state.positions.all()]
    .map(({ strategy, instrument, positionSide, position, funding }) => [
      `${strategy}/${instrument.symbol}/${positionSide}`,
      decimalText(position.quantity),
      decimalText(position.cost),
      decimalText(position.realized),
      ...(funding.isZero() ? [] : [decimalText(funding)]),
    ])
    .sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
  const closed = [...state.orders.remembered()].filter(({ progress }) => isClosed(progress)).length;
  const text = canonicalJson({
    orders,
    closed,
    positions,
    refs: state.refs.entries(),
    chosen: state.refs.chosen(),
    values: Object.fromEntries(state.values),
    adjustments: Object.fromEntries([...state.adjustments].map(([key, value]) => [key, decimalText(value)])),
    kill: state.killReason ?? null,
    day: state.day?.day ?? null,
    ...kept({
      restored: state.restored?.since,
      money: state.money.summary(),
      latches: Object.fromEntries(state.latches),
      pauses: Object.fromEntries(state.pauses),
      unprotected: [...state.unprotected.keys()].sort(),
      withheld: [...state.withheld].map(([key, { by, until }]) => [key, by, until]),
      undivided: state.undivided.all.map(({ id, fills, holders }) => ({ id, fills: fills.length, holders })),
      contradicted: [...state.contradicted.keys()],
      disowned: [...state.disowned],
      flattening: [...state.flattening.keys()].sort(),
      halts: Object.fromEntries(state.halts),
      overrides: [...state.overrides.values()].map(({ limit, value, until }) => [limit, value, until]),
      widened: Object.fromEntries(state.trials.widened),
      readTo: state.readTo && [state.readTo.trades, state.readTo.funding],
      settled: state.readTo?.settled,
      programs: state.programs.summary(),
      commandKeys: [...state.commandKeys],
      marks: Object.fromEntries(state.marks),
    }),
  });
  return hash('sha256', text, 'hex');
}

/** Empty fields are left out, so that hashes of older journals stay the same. */
function kept(fields: Readonly<Record<string, unknown>>): object {
  const isEmpty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}
