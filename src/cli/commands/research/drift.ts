/** `tidewire drift SESSION`: the gap between a session and its backtest, by cause. A gap exits 0. */
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../../command.ts';
import { configBeside } from '../../config-option.ts';
import { table } from '../../terminal/table.ts';
import { driftOf, type DriftReport } from '../../../session/drift/drift.ts';
import { DRIFT_PARTS, driftParts, type DriftPart } from '../../../session/drift/parts.ts';
import { createLogger } from '../../../session/store/logger.ts';
import { writeOwnerFile } from '../../../session/store/owner-file.ts';
import { findSession, sessionFiles } from '../../../session/store/store.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';

interface Options {
  readonly config?: string;
}

const NAMES: Readonly<Record<DriftPart, string>> = {
  signal: 'signal',
  latency: 'latency',
  missedFills: 'missed fills',
  queue: 'queue',
  fees: 'fees',
  funding: 'funding',
  rest: 'rest',
};

/** Eight decimals; `--json` has all. */
function shown(amount: string): string {
  return Number(amount).toFixed(8);
}

function reportText({ session, currency, result, gap, parts, orders, warnings }: DriftReport): string {
  const rows = [
    ['session', shown(result.session.pnl), `${result.session.fills} fills`],
    ['backtest', shown(result.backtest.pnl), `${result.backtest.fills} fills`],
    ['gap', shown(gap), 'session less backtest'],
    ...DRIFT_PARTS.map((part) => [`  ${NAMES[part]}`, shown(parts[part]), driftParts[part]]),
  ];
  const largest = orders.largest.map(({ strategy, ref, symbol, effects }) => {
    const causes = DRIFT_PARTS.flatMap((part) =>
      effects[part] === undefined ? [] : [`${NAMES[part]} ${shown(effects[part])}`],
    );
    return `  ${strategy} ${ref} ${symbol}: ${causes.join(', ')}`;
  });
  return [
    `${session}: trading and funding in ${currency}, marked at the last mids`,
    table(rows, { right: [1] }),
    `${orders.differ} of ${orders.sent} orders were filled otherwise than in the simulation`,
    ...largest,
    ...warnings.map((warning) => `warning: ${warning}`),
  ].join('\n');
}

export const build: BuildCommand = (io) =>
  new Command('drift')
    .description('Split the gap between the result of a session and its backtest by cause; the parts add up exactly.')
    .argument('<session>', 'id or folder')
    .option('--config <FILE>', 'the configuration that the session ran with')
    .addHelpText('after', '\nExample:\n  npx tidewire drift paper-spread-maker-20260726-101500-a1b2')
    .action(
      action(io, async (wanted: string, options: Options) => {
        const config = configBeside(io, options.config);
        const folder = findSession(resolve(io.cwd, config.journal.dir), wanted);
        const report = await driftOf(folder, config, createLogger({ level: 'warn', write: io.err }));
        // For the dashboard.
        const kept = { command: 'drift', at: Math.round(systemClock.now()), ...report };
        writeOwnerFile(join(folder.path, sessionFiles.drift), `${JSON.stringify(kept)}\n`, { replace: true });
        return { json: { command: 'drift', ...report }, text: reportText(report) };
      }),
    );
