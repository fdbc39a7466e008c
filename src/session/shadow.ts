/** Runs another strategy version over a session's recording, from its start. The session's figures are those of its journal. */
import { isTidewireError } from '../model/errors.ts';
import type { Logger } from '../model/ports.ts';
import { actionLine, compareActions, type ActionComparison } from './decisions/action-log.ts';
import type { Config } from './config/schema.ts';
import { isRunning } from './store/is-running.ts';
import { lastMarks, sessionOutcome, valueAt, withMaterial, type Material } from './drift/outcome.ts';
import { decisionsOf, rerun } from './rerun.ts';
import type { SessionFolder } from './store/store.ts';
import type { PreparedStrategy } from './strategies.ts';

interface Side {
  readonly strategy: string;
  readonly decisions: number;
  readonly fills: number;
  /** Reporting currency; null where unvalued. */
  readonly netPnl: number | null;
}

export interface ShadowReport {
  readonly session: string;
  readonly running: boolean;
  readonly currency: string;
  readonly period: { readonly from: number; readonly to: number };
  readonly original: Side;
  readonly shadow: Side & { readonly orders: Readonly<Record<string, number>> };
  /** Without tags, since the version may be named differently. */
  readonly decisions: ActionComparison;
  readonly runHash: string | null;
  readonly warnings: readonly string[];
}

/** Throws `nothing_to_replay`, and errors of its sources. */
export async function shadowSession(
  folder: SessionFolder,
  strategies: readonly PreparedStrategy[],
  config: Config,
  logger: Logger,
): Promise<ShadowReport> {
  const made = decisionsOf(folder);
  const { record } = folder;
  const shadowed: string[] = [];
  const run = await rerun({
    folder,
    config,
    logger,
    strategies,
    onActions: (ts, _tag, actions) => {
      for (const action of actions) shadowed.push(actionLine(ts, '', action));
    },
  });
  const { result } = run;
  const own = await withMaterial(folder, config, (material) => ownFigures(material, result.currency));
  return {
    session: record.id,
    running: isRunning(folder),
    currency: result.currency,
    period: { from: record.decidingFrom ?? 0, to: record.decidingTo ?? result.period.to },
    original: {
      strategy: record.strategies.map(({ name }) => name).join(' + '),
      decisions: made.length,
      ...own,
    },
    shadow: {
      strategy: result.strategy,
      decisions: shadowed.length,
      fills: result.fills.length,
      netPnl: result.stats.netPnl,
      orders: result.orderCounts,
    },
    decisions: compareActions(made.map(untagged), shadowed),
    runHash: result.runHash,
    warnings: run.grave,
  };
}

function ownFigures(material: Material, currency: string): Pick<Side, 'fills' | 'netPnl'> {
  const { fills, others } = material.trace;
  const count = [...fills.values()].reduce((sum, list) => sum + list.length, others.length);
  try {
    const { pnl } = sessionOutcome(valueAt(material, lastMarks(material), currency), material.trace);
    return { fills: count, netPnl: pnl.toNumber() };
  } catch (thrown) {
    if (!isTidewireError(thrown) || thrown.code !== 'drift_unpriced') throw thrown;
    return { fills: count, netPnl: null };
  }
}

function untagged(line: string): string {
  return JSON.stringify({ ...(JSON.parse(line) as object), tag: '' });
}
