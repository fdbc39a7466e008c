/**
 * `tidewire why-not SYMBOL@TIME`: why nothing was sent then.
 */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../../command.ts';
import { configParts, durationOption } from '../../config-option.ts';
import { parseTime } from '../../../model/time.ts';
import { whyNot } from '../../../operations/why/why-not.ts';
import { whyNotText } from '../../../operations/why/why-not-text.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';
import { sessionErrors } from '../../../session/errors.ts';

interface Options {
  readonly session?: string;
  readonly window?: string;
  readonly config?: string;
}

const WINDOW_MS = 2_000;

function asked(text: string): { readonly symbol: string; readonly atMs: number } {
  const [, symbol, time] = /^([^@]+)@(.+)$/.exec(text) ?? [];
  if (symbol === undefined || time === undefined) {
    throw sessionErrors.make('bad_option', `${text} is not SYMBOL@TIME, such as BTCUSDT@2026-01-05T12:00:00Z`);
  }
  const atMs = parseTime(time);
  if (Number.isFinite(atMs)) return { symbol, atMs };
  throw sessionErrors.make(
    'bad_option',
    `${text}: after the @ a time is needed, such as 2026-01-05T12:00:00Z or 1767614400000, not ${time}`,
  );
}

export const build: BuildCommand = (io) =>
  new Command('why-not')
    .description('Explain why nothing was sent: closed gates, denials, stale data, no decision.')
    .argument('<symbol@time>', 'symbol and time, ISO 8601 (UTC without a zone) or Unix ms')
    .option('--session <session>', 'id or folder; by default the newest that covers the time')
    .option('--window <DURATION>', 'how far around the time to look', '2s')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', '\nExample:\n  npx tidewire why-not BTCUSDT@2026-01-05T12:00:00Z')
    .action(
      action(io, async (text: string, options: Options) => {
        const { symbol, atMs } = asked(text);
        const windowMs = durationOption('window', options.window) ?? WINDOW_MS;
        const config = configParts(io, options.config, ['journal']);
        const root = resolve(io.cwd, config.journal.dir);
        const answer = await whyNot(root, { symbol, atMs, windowMs, now: systemClock.now() }, options.session);
        return { json: { command: 'why-not', ...answer }, text: whyNotText(answer) };
      }),
    );
