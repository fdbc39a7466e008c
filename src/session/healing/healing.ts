/** An executor and reconciler on a stopped session's journal; a dry one works on a copy of any journal. */
import type { ExecutorEvent } from '../../spine/events.ts';
import { Executor } from '../../execution/executor.ts';
import { journalDoubt, provedJournal } from '../../journal/verify.ts';
import { createMemoryJournal } from '../../journal/memory-store.ts';
import { openJournal } from '../../journal/sqlite-store.ts';
import { replayJournal } from '../../journal/resume.ts';
import { rewoundEntry } from '../../journal/files/witness.ts';
import { limitsSchema } from '../../risk/options.ts';
import { createReconciler, type Reconciler } from '../../reconciler/reconciler.ts';
import type { Instrument, Market } from '../../model/market/instrument.ts';
import type { JournalStore } from '../../model/entries/journal.ts';
import type { Logger } from '../../model/ports.ts';
import type { Venue } from '../../model/venue.ts';
import type { Config } from '../config/schema.ts';
import type { Connection } from '../connection/connection.ts';
import { earlierSessions } from '../start-up.ts';
import { takePanicOrders } from '../emergency/panic-orders.ts';
import { requireRowsLeft } from './rows-left.ts';
import type { SessionFolder } from '../store/store.ts';

export interface HealOptions {
  readonly folder: SessionFolder;
  readonly connection: Connection;
  readonly config: Config;
  readonly logger: Logger;
  readonly dryRun: boolean;
  readonly running?: boolean;
}

export interface Healing {
  readonly executor: Executor;
  readonly reconciler: Reconciler;
  readonly journal: JournalStore;
  /** Instruments that the journal traded and the exchange still lists. */
  readonly traded: readonly Instrument[];
  requests(): Readonly<Record<string, number>>;
  close(): void;
}

/** Throws `journal_corrupt` where the chain of its rows breaks, as a start does. */
export function copied(place: string): JournalStore {
  const memory = createMemoryJournal({ rowsMax: Number.MAX_SAFE_INTEGER });
  let lastTs = 0;
  for (const { ts, entry } of provedJournal(place)) {
    memory.append(ts, [entry]);
    lastTs = ts;
  }
  const doubt = journalDoubt(place);
  // As a start would find it.
  if (doubt?.kind === 'rewound') memory.append(lastTs, [rewoundEntry(doubt.because)]);
  return memory;
}

/** Orders alone: `heal-money.ts` has looked up the money before. */
function ofOrders(venue: Venue, isReadOnly: boolean): Venue {
  const { transactions: _, ...query } = venue.query;
  const nothing = (): void => {};
  return {
    query,
    clientOrderIds: venue.clientOrderIds,
    printsOwn: venue.printsOwn,
    clockOffsetMs: () => venue.clockOffsetMs?.() ?? 0,
    listen: isReadOnly ? nothing : (listener) => venue.listen(listener),
    send: isReadOnly ? nothing : (command, onDispatch) => venue.send(command, onDispatch),
    together: (run) => venue.together(run),
    start: nothing,
    stop: async () => {},
  };
}

export function changesOf(events: readonly ExecutorEvent[]): readonly ExecutorEvent[] {
  return events.filter(
    (event) =>
      event.kind === 'fill' || event.kind === 'alarm' || (event.kind === 'order' && event.order.state !== 'canceling'),
  );
}

function symbolsIn(folder: SessionFolder): ReadonlySet<string> {
  return new Set(replayJournal(folder.path).instruments.symbols());
}

export function countsOf(
  sent: ReadonlyMap<string, number>,
  before: ReadonlyMap<string, number>,
): Record<string, number> {
  const counts = [...sent].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function marketsOf(traded: readonly Instrument[]): readonly Market[] {
  return traded.length === 0 ? ['spot'] : [...new Set(traded.map(({ market }) => market))];
}

/** Throws journal errors, `journal_rewound` where no row is left. The caller closes it. */
export function openHealing(options: HealOptions): Healing {
  const { folder, connection, config, logger, dryRun, running = false } = options;
  requireRowsLeft(folder.path);
  const traded = [...symbolsIn(folder)].flatMap((symbol) => connection.instruments.find(symbol) ?? []);
  const venue = connection.exchange.venue(traded);
  const before = new Map(connection.exchange.http.sent);
  const journal = dryRun ? copied(folder.path) : openJournal(folder.path, { durability: config.journal.durability });
  try {
    takePanicOrders(journal, folder, connection.clock.now());
    const executor = new Executor({
      venue: ofOrders(venue, dryRun),
      journal,
      clock: connection.clock,
      instruments: connection.instruments,
      market: { best: () => undefined, sweep: () => undefined, mid: () => undefined },
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
