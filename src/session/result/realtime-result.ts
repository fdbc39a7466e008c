/** The result of a paper or live session. */
import { join } from 'node:path';
import { buildResult, openPositions, paramsOf } from './build-result.ts';
import type { ChargedInterest } from '../money/overdraft-interest.ts';
import { completeLists, isListed } from './earlier-legs.ts';
import { jsonPieces } from './json-pieces.ts';
import { readJournal } from '../../journal/verify.ts';
import { programRow } from './program-row.ts';
import { RunRecorder } from '../recorder/run-recorder.ts';
import { writeOwnerFile } from '../store/owner-file.ts';
import type { RealtimeRun } from '../realtime.ts';
import type { BacktestResult, OrderCounts } from './result.ts';
import { runHashes } from './run-hash.ts';
import { sessionFiles } from '../store/store.ts';

export interface RealtimeSummary {
  readonly command: 'paper' | 'run';
  readonly strategy: string;
  readonly session: string;
  readonly from: number;
  readonly to: number;
  readonly firstQuoteMs: number | null;
  readonly orders: OrderCounts;
  readonly fills: number;
  readonly stats: BacktestResult['stats'];
  readonly warnings: readonly string[];
  readonly files: Readonly<Record<string, string | null>>;
}

export function realtimeResult(
  run: RealtimeRun,
  overdraftInterest?: ChargedInterest | null,
): {
  readonly result: BacktestResult;
  readonly summary: RealtimeSummary;
  /** Failures, what is left and what the result lacks; any means exit code 1. */
  readonly grave: readonly string[];
} {
  const { session, parts, from, to } = run;
  const { engine, recorder, options, earlier } = session;
  const { strategies, connection, config, folder } = options;
  const command = options.mode === 'paper' ? 'paper' : 'run';
  const path = join(folder.path, sessionFiles.result);
  const end = Math.max(to, recorder.lastFillTs);
  const begin = earlier?.from ?? from;
  const own = engine.executor.counters();
  const incomplete = completeLists(earlier, recorder, {
    rows: () => readJournal(folder.path, 1, { wanted: isListed }),
    make: () => new RunRecorder(connection.instruments, config.account.reporting),
  });
  const grave = [...run.warnings, ...[session.incomplete, incomplete].filter((text) => text !== null)];
  const ended = engine.settled ? 'in order' : 'unfinished';
  const result = buildResult(
    {
      command,
      strategy: strategies.map(({ loaded }) => loaded.definition.name).join(' + '),
      currency: config.account.reporting,
      runHash: null,
      hashes: runHashes(strategies, config, options.mode === 'paper' ? config.simulation : null, null),
      seed: options.seed,
      params: paramsOf(strategies),
      period: { from: begin, to: end },
      events: { total: session.stream.counts.events, depth: 0, trades: 0, quotes: 0 },
      loadMs: 0,
      wallMs: 0,
      counters: earlier?.counters(own) ?? own,
      legs: earlier?.legs(from, end, ended) ?? [{ from, to: end, end: ended }],
      assumptions: parts.assumptions,
      warnings: grave,
      failures: engine.failures,
      files: { report: null, result: path },
      positions: openPositions(engine, strategies),
      programs: engine.executor.programs().map(programRow),
      ...(overdraftInterest === undefined ? {} : { overdraftInterest }),
    },
    recorder,
    connection.instruments,
  );
  writeOwnerFile(path, jsonPieces(result), { replace: true });
  const files = {
    result: path,
    journal: join(folder.path, sessionFiles.journal),
    recording: join(folder.path, sessionFiles.recording),
    log: join(folder.path, sessionFiles.log),
  };
  const { strategy, orderCounts, stats, warnings } = result;
  const { firstQuoteMs } = run;
  const summary: RealtimeSummary = {
    command,
    strategy,
    session: folder.record.id,
    from: begin,
    to,
    firstQuoteMs: firstQuoteMs === null ? null : Math.round(firstQuoteMs),
    orders: orderCounts,
    fills: result.fills.length,
    stats,
    warnings,
    files,
  };
  return { result, summary, grave };
}
