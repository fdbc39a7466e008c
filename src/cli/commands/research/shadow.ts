/**
 * `tidewire shadow STRATEGY --against SESSION`: another version on a session's streams with a simulated account. Never
 * sends an order.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../../command.ts';
import { configSource, repeated } from '../../config-option.ts';
import { table } from '../../terminal/table.ts';
import { loadConfig } from '../../../session/config/load.ts';
import { createLogger } from '../../../session/store/logger.ts';
import { shadowSession, type ShadowReport } from '../../../session/shadow.ts';
import { findSession } from '../../../session/store/store.ts';
import { prepareStrategies } from '../../../session/strategies.ts';
import { parseParamTexts } from '../../../strategy/loading/params.ts';

interface Options {
  readonly against: string;
  readonly param?: readonly string[];
  readonly config?: string;
}

function money(value: number | null): string {
  return value === null ? 'no price' : value.toFixed(8);
}

function reportText({ session, running, currency, original, shadow, decisions, warnings }: ShadowReport): string {
  const { first, equal } = decisions;
  const differ = (side: 'left' | 'right'): string => {
    const decision = first?.[side] ?? null;
    return decision === null ? 'nothing' : `${decision.ts} ${JSON.stringify(decision.action)}`;
  };
  return [
    `${session}${running ? ' (running: what is recorded so far)' : ''}`,
    table(
      [
        ['strategy', original.strategy, shadow.strategy],
        ['decisions', String(original.decisions), String(shadow.decisions)],
        ['fills', String(original.fills), String(shadow.fills)],
        [`net P&L, ${currency}`, money(original.netPnl), money(shadow.netPnl)],
      ],
      { head: ['', 'session', 'shadow'], right: [1, 2] },
    ),
    'the session: its own fills and funding; the shadow: on the simulated venue over this recording; both marked at the last mids',
    ...(first === null
      ? ['Every decision is the same.']
      : [
          `the first ${equal} decisions are the same; then`,
          `  session  ${differ('left')}`,
          `  shadow   ${differ('right')}`,
        ]),
    ...warnings.map((warning) => `warning: ${warning}`),
  ].join('\n');
}

export const build: BuildCommand = (io) =>
  new Command('shadow')
    .description('Run a second version of a strategy on the streams of a session; it never sends an order.')
    .argument('<strategy>', 'strategy file')
    .requiredOption('--against <SESSION>', 'id or folder of the session, finished or running')
    .option('--param <k=v>', 'a parameter of the strategy; repeatable', repeated)
    .option('--config <FILE>', 'the configuration that the session ran with')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire shadow strategies/my-maker-2.ts --against paper-my-maker-20260726',
    )
    .action(
      action(io, async (file: string, options: Options) => {
        const { config } = loadConfig(configSource(io, options.config));
        const folder = findSession(resolve(io.cwd, config.journal.dir), options.against);
        const params = parseParamTexts(options.param ?? []);
        const strategies = await prepareStrategies({ file, params, entries: config.strategies });
        const logger = createLogger({ level: 'warn', write: io.err });
        const report = await shadowSession(folder, strategies, config, logger);
        return { json: { command: 'shadow', ...report }, text: reportText(report) };
      }),
    );
