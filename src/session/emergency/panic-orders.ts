/**
 * Takes orders of `panic --flatten` into the journal as intents of unknown outcome: the reconciler books their fills.
 */
import { dirname } from 'node:path';
import { clientOrderIdOf } from '../../spine/intent-id.ts';
import { resumed } from '../../journal/resume.ts';
import { messageOf } from '../../model/errors.ts';
import type { Instruments, InstrumentSpec } from '../../model/market/instrument.ts';
import type { CreateIntentEntry, JournalEntry, JournalStore } from '../../model/entries/journal.ts';
import type { Logger } from '../../model/ports.ts';
import { isOfSession, panicOrders, splitName, type PanicOrder } from './panic-ledger.ts';
import type { SessionFolder } from '../store/store.ts';

/** How many were new. `now`: Unix ms. */
export function takePanicOrders(journal: JournalStore, { path, record }: SessionFolder, now: number): number {
  if (record.mode !== 'live') return 0;
  const sent = panicOrders(dirname(path), record).filter((order) => isOfSession(order, record.id));
  if (sent.length === 0) return 0;
  const { state, instruments } = resumed(journal);
  const entries: JournalEntry[] = [];
  for (const order of sent) {
    const spec = instruments.find(splitName(order.symbol)[0])?.spec;
    // A taken-over order has its id as ref.
    if (state.refs.isChosen(order.strategy, order.id) || spec === undefined) continue;
    entries.push(intentOf(order, spec), { kind: 'sending', intentId: order.id });
  }
  journal.append(Math.max(now, state.lastTs), entries);
  return entries.length / 2;
}

/** Clock tolerance, ms. */
const OVERLAP_MS = 60_000;

/** `startedAt`: Unix ms. Null when unreadable, or of an unlisted symbol. */
export function panicWatch(
  { path, record }: SessionFolder,
  { instruments, startedAt, logger }: { instruments: Instruments; startedAt: number; logger: Logger },
): () => readonly CreateIntentEntry[] | null {
  return () => {
    try {
      const sent = panicOrders(dirname(path), record).filter(
        (order) => isOfSession(order, record.id) && order.at > startedAt - OVERLAP_MS,
      );
      return sent.map((order) => {
        const spec = instruments.find(splitName(order.symbol)[0])?.spec;
        if (spec === undefined) throw new RangeError(`order ${order.id}: ${order.symbol} is not listed`);
        return intentOf(order, spec);
      });
    } catch (thrown) {
      logger.error({ error: messageOf(thrown) }, 'orders of a panic cannot be adopted');
      return null;
    }
  };
}

function intentOf({ id, symbol: name, strategy, sent, at }: PanicOrder, spec: InstrumentSpec): CreateIntentEntry {
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
      side: sent.isNegative() ? 'sell' : 'buy',
      type: 'market',
      timeInForce: 'ioc',
      price: null,
      quantity: sent.abs().toFixed(),
      clientOrderId: clientOrderIdOf(id),
      ...(market === 'spot' ? {} : { positionSide, reduceOnly: true }),
    },
    reduceOnly: true,
    postOnly: false,
    adoptedFrom: at,
  };
}
