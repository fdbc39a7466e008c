/** A command's configuration: `--config FILE`, else `config/default.yaml` here, else defaults. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { decimalText } from '../model/numbers/money.ts';
import { parseDuration, parseTime } from '../model/time.ts';
import { loadConfig, type ConfigSources } from '../session/config/load.ts';
import type { Config } from '../session/config/schema.ts';
import { sessionErrors } from '../session/errors.ts';
import type { CliIo } from './command.ts';

export function configSource(
  io: CliIo,
  file: string | undefined,
  flags: Readonly<Record<string, unknown>> = {},
): ConfigSources {
  const standard = resolve(io.cwd, 'config/default.yaml');
  const chosen = file === undefined ? (existsSync(standard) ? standard : null) : resolve(io.cwd, file);
  return { file: chosen, environment: io.env, flags };
}

/** Parts of the configuration: a variable that is not set, or a mistake, in another one keeps no command from its work. */
export function configParts<Part extends keyof Config>(
  io: CliIo,
  file: string | undefined,
  parts: readonly Part[],
): Pick<Config, Part> {
  return loadConfig({ ...configSource(io, file), only: parts }).config;
}

/** What only a session that runs reaches, or is reached by: its secrets may be in the environment of the session alone. */
const OF_RUNNING = ['alerts', 'metrics', 'signals', 'dashboard'] as const satisfies readonly (keyof Config)[];

/** For a command beside a session; what only one that runs has is as by default. */
export function configBeside(io: CliIo, file: string | undefined): Config {
  return loadConfig({ ...configSource(io, file), without: OF_RUNNING }).config;
}

/** `30s`, `5m`, `2h` in ms. */
export function durationOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms > 0) return ms;
  throw sessionErrors.make('bad_option', `--${name} ${text} is not a duration such as 30s, 5m or 2h`, { option: name });
}

/** ISO 8601 or Unix ms. */
export function timeOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseTime(text);
  const isBare = ms === Number(text);
  if (Number.isFinite(ms) && !(isBare && isYearOrSeconds(ms))) return ms;
  throw sessionErrors.make(
    'bad_option',
    `--${name} ${text} is not a time such as 2024-08-08T23:54:00Z or 1723161240000`,
    { option: name },
  );
}

/** In ms these would be 1970, which nobody means. */
function isYearOrSeconds(value: number): boolean {
  const isYear = value >= 1970 && value < 2100;
  return isYear || (value >= Date.UTC(2000) / 1000 && value < Date.UTC(2100) / 1000);
}

export const START_OPTION = [
  '--start <BALANCES>',
  'what the account begins with, such as 10000USDT,0.5BTC; else as configured (account.start)',
] as const;

const BALANCE = /^(\d+(?:\.\d+)?)([A-Za-z][A-Za-z0-9]*)$/;

/** Replaces the start balances by those of `--start`. */
export function withStart(config: Config, text: string | undefined): Config {
  const start = startOption(text);
  return start === undefined ? config : { ...config, account: { ...config.account, start } };
}

/** Currency → amount as text. */
export function startOption(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (text === undefined) return undefined;
  const start: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [, amount, name] = BALANCE.exec(part.trim()) ?? [];
    const currency = name?.toUpperCase();
    if (amount === undefined || currency === undefined || currency in start)
      throw sessionErrors.make('bad_option', `--start ${text}: ${part.trim() || 'nothing'} ${mistake(currency)}`, {
        option: 'start',
      });
    start[currency] = decimalText(amount);
  }
  return start;
}

function mistake(currency: string | undefined): string {
  if (currency !== undefined) return `names ${currency} again; give each currency once`;
  return 'is not an amount with its currency; write 10000USDT,0.5BTC';
}

export function seedOption(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seed = Number(text);
  if (Number.isSafeInteger(seed) && seed >= 0) return seed;
  throw sessionErrors.make('bad_option', `--seed ${text} is not a whole number of 0 or more`, { option: 'seed' });
}

/** A whole number of 1 or more. */
export function countOption(name: string, text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw sessionErrors.make('bad_option', `--${name} ${text} is not a whole number of 1 or more`, { option: name });
}

export function repeated(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
