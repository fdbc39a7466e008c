/**
 * `reconcile`: one comparison of a live session's journal with the exchange, outside of a running session. A dry run
 * works on a copy of the journal in memory and changes nothing.
 */
import { createExecutor } from '../execution/executor.ts';
import { createMemoryJournal } from '../execution/journal/memory-store.ts';
import { openJournal } from '../execution/journal/sqlite-store.ts';
import { readJournal } from '../execution/journal/verify.ts';
import { limitsSchema } from '../execution/options.ts';
import { createReconciler } from '../execution/reconcile/reconciler.ts';
import type { ExecutorEvent } from '../execution/events.ts';
import type { Venue } from '../model/venue.ts';
import { denied } from '../model/deny-reason.ts';
import type { JournalStore } from '../model/journal.ts';
import type { Logger } from '../model/ports.ts';
import type { Config } from './config/schema.ts';
import type { Connection } from './connection.ts';
import type { SessionFolder } from './store.ts';

export interface HealOptions {
  readonly folder: SessionFolder;
  readonly connection: Connection;
  readonly config: Config;
  readonly logger: Logger;
  readonly dryRun: boolean;
}

export interface HealReport {
  readonly session: string;
  /** Every reading was complete. */
  readonly complete: boolean;
  readonly failures: readonly string[];
  /** What changed, or would change: orders, fills, alarms. */
  readonly changes: readonly ExecutorEvent[];
  readonly dryRun: boolean;
  readonly openOrders: number;
  readonly unresolved: number;
}

function copied(folder: SessionFolder): JournalStore {
  const memory = createMemoryJournal({ rowsMax: Number.MAX_SAFE_INTEGER });
  for (const { ts, entry } of readJournal(folder.path)) memory.append(ts, [entry]);
  return memory;
}

/** The venue without its commands: what a dry run would send is denied. */
function readOnly(venue: Venue): Venue {
  let tell: Parameters<Venue['listen']>[0] = () => {};
  return {
    query: venue.query,
    clientOrderIds: venue.clientOrderIds,
    listen: (listener) => {
      tell = listener;
    },
    send: ({ intentId }) =>
      tell({
        kind: 'outcome',
        intentId,
        outcome: { kind: 'denied', denied: denied('stopping', 'a dry run sends nothing') },
      }),
    start: () => {},
    stop: async () => {},
  };
}

/** Symbols that the journal has ever traded. */
function symbolsIn(folder: SessionFolder): ReadonlySet<string> {
  const symbols = new Set<string>();
  for (const { entry } of readJournal(folder.path)) if (entry.kind === 'instrument') symbols.add(entry.spec.symbol);
  return symbols;
}

export async function heal({ folder, connection, config, logger, dryRun }: HealOptions): Promise<HealReport> {
  const traded = [...symbolsIn(folder)].flatMap((symbol) => connection.instruments.find(symbol) ?? []);
  const venue = connection.exchange.venue(traded);
  const journal = dryRun ? copied(folder) : openJournal(folder.path, { durability: config.journal.durability });
  try {
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
    const changes: ExecutorEvent[] = [];
    executor.listen((event) => {
      if (event.kind === 'order' || event.kind === 'fill' || event.kind === 'alarm') changes.push(event);
    });
    const reconciler = createReconciler(executor, {
      markets: [...new Set(traded.map(({ market }) => market))],
      clockDoubtMs: () => connection.exchange.clockOffset.doubtMs,
    });
    const report = await reconciler.runNow({ full: true });
    reconciler.stop();
    const { tag } = folder.record.strategies[0] ?? { tag: '' };
    const openOrders =
      tag === ''
        ? 0
        : folder.record.strategies.reduce((sum, one) => sum + executor.account(one.tag).openOrders().length, 0);
    const unresolved = executor.unresolvedCount();
    executor.close();
    const { complete, failures } = report;
    return { complete, failures, changes, session: folder.record.id, dryRun, openOrders, unresolved };
  } finally {
    journal.close();
  }
}
