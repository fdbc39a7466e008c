/**
 * An order that bears the mark of this session and that the journal cannot tell of was made by rows that are gone: an older
 * copy of the whole folder was put back, which brings an older witness, or a copy of it trades elsewhere. Then the journal is
 * in amnesia from there on, as after a restore from a backup, and takes such orders over: the intent of each is journalled as
 * adopted, so that it is an own order like any other, its fills booked and its cancel ours. Whose it
 * was nobody can know any more: a reduction is of the strategy that holds the most of what it reduces, every other order of
 * the one that alone has orders in the symbol, else of the first one of the session.
 */
import type { CreateIntentEntry, RestoredEntry } from '../model/journal.ts';
import type { OrderReport } from '../model/order.ts';
import type { Core } from './core.ts';
import { REWOUND } from '../journal/witness.ts';
import { intentIdOf } from '../spine/intent-id.ts';

/** The journal is in amnesia from here on, durably, and says why. */
export function noteRewound(core: Core, { orderId, symbol }: OrderReport): void {
  const told = `order ${orderId} in ${symbol} bears the mark of this session and no row tells of it`;
  const because = 'an older copy of the folder was put back, or a copy of it trades elsewhere';
  const entry: RestoredEntry = { kind: 'restored', event: 'rewound', reason: `${REWOUND}: ${told}: ${because}` };
  core.spine.commit(entry);
  core.alarm('journal_rewound', entry.reason);
}

/** Once for each intent; one in an unknown instrument, or off its grid, is told by an alarm and stays somebody else's. */
export function adoptOrder(core: Core, report: OrderReport): void {
  const intentId = intentIdOf(report.clientOrderId);
  if (intentId === undefined || core.state.orders.byIntent(intentId) !== undefined) return;
  const instrument = core.deps.instruments.find(report.symbol);
  const strategy = holderOf(core, report) ?? ownerOf(core, report.symbol);
  const isOffGrid = report.price !== null && Number.isNaN(instrument?.ticksOf(report.price));
  if (instrument === undefined || strategy === undefined || isOffGrid) {
    core.alarm('foreign_prefix', `order ${report.orderId} in ${report.symbol} bears our mark and cannot be taken over`);
    return;
  }
  const entry = intentOf(report, intentId, strategy);
  core.putInstrument(instrument);
  core.spine.takeOver(entry, instrument);
  core.count(strategy, 'submitted');
  // One that reduces more than its strategy holds, by all that this comparison finds, is called back.
  if (entry.reduceOnly) core.moved.add(report.symbol);
  const lost = `order ${report.orderId} is not in this journal`;
  core.alarm('adopted_order', `${lost}: taken over as ${entry.ref} of ${strategy}`);
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

/** Whose position a reduction can have been to reduce; undefined for any other order, and where nobody holds one. */
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
