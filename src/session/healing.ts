/**
 * An executor and its reconciler on the journal of a stopped session, outside of a running one: what `reconcile` heals
 * with and `plan` looks with. A dry one works on a copy of the journal in memory, its venue sends nothing, and it may look
 * at a session that runs.
 */
import type { ExecutorEvent } from '../execution/events.ts';
import { createExecutor, type Executor } from '../execution/executor.ts';
import { journalDoubt } from '../execution/journal/doubt.ts';
import { createMemoryJournal } from '../execution/journal/memory-store.ts';
import { openJournal } from '../execution/journal/sqlite-store.ts';
import { readJournal } from '../execution/journal/verify.ts';
import { rewoundEntry } from '../execution/journal/witness.ts';
import { limitsSchema } from '../execution/options.ts';
import { createReconciler, type Reconciler } from '../execution/reconcile/reconciler.ts';
import type { Instrument, Market } from '../model/instrument.ts';
import type { JournalStore } from '../model/journal.ts';
import type { Logger } from '../model/ports.ts';
import type { Venue } from '../model/venue.ts';
import type { Config } from './config/schema.ts';
import type { Connection } from './connection.ts';
import { earlierSessions } from './start-up.ts';
import { takePanicOrders } from './panic-orders.ts';
import type { SessionFolder } from './store.ts';

export interface HealOptions {
  readonly folder: SessionFolder;
  readonly connection: Connection;
  readonly config: Config;
  readonly logger: Logger;
  readonly dryRun: boolean;
  /** A session works on the journal now; a dry run may look at it all the same. */
  readonly running?: boolean;
}

export interface Healing {
  readonly executor: Executor;
  readonly reconciler: Reconciler;
  readonly journal: JournalStore;
  /** Instruments that the journal has traded and the exchange still lists. */
  readonly traded: readonly Instrument[];
  /** Requests that have left since it was opened, by endpoint. */
  requests(): Readonly<Record<string, number>>;
  close(): void;
}

/** A copy in memory of the journal at a place, for a look that changes nothing. */
export function copied(place: string): JournalStore {
  const memory = createMemoryJournal({ rowsMax: Number.MAX_SAFE_INTEGER });
  let lastTs = 0;
  for (const { ts, entry } of readJournal(place)) {
    memory.append(ts, [entry]);
    lastTs = ts;
  }
  const doubt = journalDoubt(place);
  // As the start would find it.
  if (doubt?.kind === 'rewound') memory.append(lastTs, [rewoundEntry(doubt.because)]);
  return memory;
}

/** The venue without its commands: a dry run sends nothing, and nothing answers. */
function readOnly({ query, clientOrderIds }: Venue): Venue {
  const nothing = (): void => {};
  return {
    query,
    clientOrderIds,
    listen: nothing,
    send: nothing,
    together: (run) => run(),
    start: nothing,
    stop: async () => {},
  };
}

/** What the comparison would change in the journal. A cancel that it would send is none. */
export function changesOf(events: readonly ExecutorEvent[]): readonly ExecutorEvent[] {
  return events.filter(
    (event) =>
      event.kind === 'fill' || event.kind === 'alarm' || (event.kind === 'order' && event.order.state !== 'canceling'),
  );
}

/** Symbols that the journal has ever traded. */
function symbolsIn(folder: SessionFolder): ReadonlySet<string> {
  const symbols = new Set<string>();
  for (const { entry } of readJournal(folder.path)) if (entry.kind === 'instrument') symbols.add(entry.spec.symbol);
  return symbols;
}

/** Requests by endpoint since `before`. */
export function countsOf(
  sent: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
): Record<string, number> {
  const counts = [...sent].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** A session that has traded nothing is read as a live one without perpetuals is: no market at all is no reading. */
function marketsOf(traded: readonly Instrument[]): readonly Market[] {
  return traded.length === 0 ? ['spot'] : [...new Set(traded.map(({ market }) => market))];
}

/** Throws what `openJournal` throws; a dry one what `readJournal` does. Its user closes it. */
export function openHealing(options: HealOptions): Healing {
  const { folder, connection, config, logger, dryRun, running = false } = options;
  const traded = [...symbolsIn(folder)].flatMap((symbol) => connection.instruments.find(symbol) ?? []);
  const venue = connection.exchange.venue(traded);
  const before = new Map(connection.exchange.http.sent);
  const journal = dryRun ? copied(folder.path) : openJournal(folder.path, { durability: config.journal.durability });
  try {
    takePanicOrders(journal, folder, connection.clock.now());
    const executor = createExecutor({
      venue: dryRun ? readOnly(venue) : venue,
      journal,
      clock: connection.clock,
      instruments: connection.instruments,
      market: { best: () => undefined, mid: () => undefined },
      gates: [],
      options: { risk: config.risk, reconcile: config.reconcile },
      strategies: folder.record.strategies.map(({ tag, name }) => ({ tag, name, limits: limitsSchema.parse({}) })),
      logger,
      bootId: `heal_${Math.floor(connection.clock.now()).toString(36)}`,
      reporting: config.account.reporting,
      facts: { mode: 'reconcile' },
    });
    executor.restore();
    const reconciler = createReconciler(executor, {
      markets: marketsOf(traded),
      clockDoubtMs: () => connection.exchange.clockOffset.doubtMs,
      isCopy: running,
      earlierSessions: earlierSessions(folder),
      symbols: traded.map(({ symbol }) => symbol),
    });
    return {
      executor,
      reconciler,
      journal,
      traded,
      requests: () => countsOf(connection.exchange.http.sent, before),
      close: () => {
        reconciler.stop();
        executor.close();
        journal.close();
      },
    };
  } catch (thrown) {
    journal.close();
    throw thrown;
  }
}
