/**
 * Adopts orders with our prefix that are in no journal row. Either an older copy of the folder was restored, or a copy
 * trades elsewhere, or another process sent them for this session. `panic --flatten` does the last, and notes each
 * order before it leaves.
 */
import type { CreateIntentEntry, RestoredEntry } from '../../model/entries/journal.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { Core } from '../core.ts';
import { REWOUND } from '../../journal/files/witness.ts';
import { intentIdOf } from '../../spine/intent-id.ts';

/** Journals that rows are missing from here on. */
export function noteRewound(core: Core, { orderId, symbol }: OrderReport): void {
  const told = `order ${orderId} in ${symbol} has this session's prefix and is in no journal row`;
  const because = 'an older copy of the folder was restored, or a copy of it trades elsewhere';
  const entry: RestoredEntry = {
    kind: 'restored',
    event: 'rewound',
    reason: `${REWOUND}: ${told}: ${because}`,
    orderId,
  };
  core.spine.commit(entry);
  core.alarm('journal_rewound', entry.reason);
}

/** Runs once per intent. An order in an unknown instrument or off its grid stays external, with an alarm. */
export function adoptOrder(core: Core, report: OrderReport): void {
  const intentId = intentIdOf(report.clientOrderId);
  if (intentId === undefined || core.state.orders.byIntent(intentId) !== undefined) return;
  const instrument = core.deps.instruments.find(report.symbol);
  const strategy = holderOf(core, report) ?? ownerOf(core, report.symbol);
  const isOffGrid = report.price !== null && Number.isNaN(instrument?.ticksOf(report.price));
  if (instrument === undefined || strategy === undefined || isOffGrid) {
    core.alarm('foreign_prefix', `order ${report.orderId} in ${report.symbol} has our prefix and cannot be adopted`);
    return;
  }
  const entry = intentOf(report, intentId, strategy);
  core.putInstrument(instrument);
  core.spine.takeOver(entry, instrument);
  core.counters(strategy).submitted++;
  // An adopted order that reduces more than its strategy holds is cancelled.
  if (entry.reduceOnly) core.news.moved.add(report.symbol);
  const lost = `order ${report.orderId} is not in this journal`;
  core.alarm('adopted_order', `${lost}: adopted as ${entry.ref} of ${strategy}`);
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

/** Strategy that holds most of what a reduction reduces; undefined for other orders. */
function holderOf(core: Core, { reduceOnly, symbol, side, positionSide = 'both' }: OrderReport): string | undefined {
  if (reduceOnly !== true) return undefined;
  const sign = side === 'sell' ? 1 : -1;
  let holder: string | undefined;
  let most = 0;
  for (const tag of core.slots.keys()) {
    const held = sign * core.state.positions.lots(tag, symbol, positionSide);
    if (held <= most) continue;
    most = held;
    holder = tag;
  }
  return holder;
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

/** False when a note cannot be read or adopted. Then unknown orders must not be concluded absent. */
export function takeSentElsewhere(core: Core): boolean {
  const { sentElsewhere } = core.deps;
  const sent = sentElsewhere === undefined ? [] : sentElsewhere();
  if (sent === null) return false;
  let isWhole = true;
  for (const entry of sent) {
    const instrument = core.deps.instruments.find(entry.order.symbol);
    if (core.state.orders.byIntent(entry.intentId) !== undefined) continue;
    if (instrument === undefined || !core.slots.has(entry.strategy)) {
      const { intentId, strategy, order } = entry;
      const message = `a panic's order ${intentId} in ${order.symbol} for ${strategy} cannot be adopted`;
      core.deps.logger.error({ strategy, symbol: order.symbol }, message);
      isWhole = false;
      continue;
    }
    core.putInstrument(instrument);
    const order = core.spine.takeOver(entry, instrument);
    const outcome = { kind: 'unknown', reason: 'sent by another process' } as const;
    core.spine.commitTo(order, { kind: 'outcome', intentId: entry.intentId, outcome });
    core.counters(entry.strategy).submitted++;
    const { side, quantity, symbol } = entry.order;
    core.alarm('adopted_order', `${entry.ref} was sent for ${entry.strategy} meanwhile: ${side} ${quantity} ${symbol}`);
  }
  return isWhole;
}
