/**
 * The orders that `panic --flatten` sent for a session, taken into its journal before it goes on: as intents of unknown fate,
 * so that the reconciler finds them at the exchange like any order that was under way at a crash, and books their fills to
 * the strategy whose position they closed. Without this it would go on believing in what was sold. Called at every start,
 * and by `plan` and `reconcile`.
 */
import { dirname } from 'node:path';
import { clientOrderIdOf } from '../execution/order-spec.ts';
import type { InstrumentSpec } from '../model/instrument.ts';
import type { CreateIntentEntry, JournalEntry, JournalStore } from '../model/journal.ts';
import { panicOrders, type PanicOrder } from './panic-ledger.ts';
import { splitName } from './panic-flatten.ts';
import type { SessionFolder } from './store.ts';

/** How many were taken; none that the journal has already. `now`: Unix ms. */
export function takePanicOrders(journal: JournalStore, { path, record }: SessionFolder, now: number): number {
  if (record.mode !== 'live') return 0;
  const sent = panicOrders(dirname(path), record).filter(({ session }) => session === record.id);
  if (sent.length === 0) return 0;
  const specs = new Map<string, InstrumentSpec>();
  const known = new Set<string>();
  let lastTs = 0;
  for (const { ts, entry } of journal.read()) {
    lastTs = ts;
    if (entry.kind === 'instrument') specs.set(entry.spec.symbol, entry.spec);
    if (entry.kind === 'intent') known.add(entry.intentId);
  }
  const entries: JournalEntry[] = [];
  for (const order of sent) {
    const spec = specs.get(splitName(order.symbol)[0]);
    if (known.has(order.id) || spec === undefined) continue;
    entries.push(intentOf(order, spec), { kind: 'sending', intentId: order.id });
  }
  journal.append(Math.max(now, lastTs), entries);
  return entries.length / 2;
}

function intentOf({ id, symbol: name, strategy, quantity, at }: PanicOrder, spec: InstrumentSpec): CreateIntentEntry {
  const [symbol, positionSide] = splitName(name);
  const { market } = spec;
  return {
    kind: 'intent',
    command: 'create',
    intentId: id,
    strategy,
    ref: id,
    auto: false,
    tag: strategy,
    origin: 'flatten',
    order: {
      market,
      symbol,
      side: quantity.isNegative() ? 'sell' : 'buy',
      type: 'market',
      timeInForce: 'ioc',
      price: null,
      quantity: quantity.abs().toFixed(),
      clientOrderId: clientOrderIdOf(id),
      ...(market === 'spot' ? {} : { positionSide, reduceOnly: true }),
    },
    reduceOnly: true,
    postOnly: false,
    adoptedFrom: at,
  };
}
