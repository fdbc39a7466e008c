/**
 * Takes over an order that bears the mark of this session and that the journal does not know, after a restore from a backup: its intent is
 * journalled as adopted, so that from here on it is an own order like any other, its fills booked and its cancel ours
 * (reliability §4.3, 11). Whose it was nobody can know any more: the strategy that alone has orders in the symbol, else
 * the first one of the session.
 */
import type { Instrument } from '../../model/instrument.ts';
import type { CreateIntentEntry } from '../../model/journal.ts';
import type { OrderReport } from '../../model/order.ts';
import type { Core } from '../core.ts';
import { intentIdOf } from '../order-spec.ts';
import { lotsOf } from '../trading-state.ts';

export function adoptOrder(core: Core, report: OrderReport): void {
  const intentId = intentIdOf(report.clientOrderId);
  if (intentId === undefined || core.state.orders.byIntent(intentId) !== undefined) return;
  const instrument = core.deps.instruments.find(report.symbol);
  const strategy = ownerOf(core, report.symbol);
  const ticks = report.price === null || instrument === undefined ? 0 : instrument.ticksOf(report.price);
  if (instrument === undefined || strategy === undefined || Number.isNaN(ticks)) {
    core.alarm('foreign_prefix', `order ${report.orderId} in ${report.symbol} bears our mark and cannot be taken over`);
    return;
  }
  const entry = intentOf(report, intentId, strategy);
  takeOver(core, entry, instrument, ticks);
  const lost = `order ${report.orderId} is not in the restored journal`;
  core.alarm('adopted_order', `${lost}: taken over as ${entry.ref} of ${strategy}`);
}

/** The same rows as a replay reads them: intent, SENDING; its report and fills follow in this comparison. */
function takeOver(core: Core, entry: CreateIntentEntry, instrument: Instrument, ticks: number): void {
  const { state } = core;
  core.putInstrument(instrument);
  core.put(entry);
  const lots = lotsOf(instrument, entry.order.quantity);
  const order = state.openOrder(entry, instrument, ticks, lots, core.now(), null);
  state.refs.restore(entry.strategy, entry.ref, entry.auto);
  core.put({ kind: 'sending', intentId: entry.intentId });
  state.sending(order, core.now());
}

function intentOf(report: OrderReport, intentId: string, strategy: string): CreateIntentEntry {
  const { market, symbol, side, type, timeInForce, price, quantity, clientOrderId, positionSide } = report;
  return {
    kind: 'intent',
    command: 'create',
    intentId,
    strategy,
    ref: `restored-${report.orderId}`,
    auto: false,
    tag: strategy,
    origin: 'place',
    order: {
      market,
      symbol,
      side,
      type,
      timeInForce,
      price,
      quantity,
      clientOrderId: clientOrderId ?? '',
      ...(positionSide === undefined ? {} : { positionSide }),
    },
    reduceOnly: report.reduceOnly ?? false,
    postOnly: false,
    adoptedFrom: report.createdAt,
  };
}

function ownerOf(core: Core, symbol: string): string | undefined {
  const { orders, positions } = core.state;
  const active = new Set<string>();
  for (const order of orders.allLive()) if (order.instrument.symbol === symbol) active.add(order.strategy);
  for (const order of orders.remembered()) if (order.instrument.symbol === symbol) active.add(order.strategy);
  for (const held of positions.all()) if (held.instrument.symbol === symbol) active.add(held.strategy);
  const known = [...active].filter((tag) => core.slots.has(tag));
  return known.length === 1 ? known[0] : core.slots.keys().next().value;
}
