/** The newest lines of a session's log, from the end of its newest files. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { logFiles } from '../../session/store/log-file.ts';
import type { LogLine } from '../schemas/entries.ts';

const TAIL_BYTES = 1_048_576;
const LEVELS: Readonly<Record<number, LogLine['level']>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

export interface LogQuestion {
  readonly limit: number;
  /** Least level. */
  readonly level: LogLine['level'];
  /** Unix ms; only later ones. */
  readonly after: number;
}

/** Oldest first. */
export function logTail(file: string, { limit, level, after }: LogQuestion): LogLine[] {
  const least = Number(Object.entries(LEVELS).find(([, name]) => name === level)?.[0] ?? 0);
  const lines: LogLine[] = [];
  for (const part of logFiles(file).toReversed()) {
    const found = tailOf(part)
      .split('\n')
      .flatMap((raw) => lineOf(raw, least) ?? [])
      .filter(({ ts }) => ts > after);
    lines.unshift(...found);
    if (lines.length >= limit) break;
  }
  return lines.slice(-limit);
}

function tailOf(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const bytes = Math.min(size, TAIL_BYTES);
    const buffer = Buffer.alloc(bytes);
    readSync(handle, buffer, 0, bytes, size - bytes);
    return buffer.toString('utf8');
  } finally {
    closeSync(handle);
  }
}

/** Null for a line that was cut, or is below the level. */
function lineOf(raw: string, least: number): LogLine | null {
  try {
    const { level, time, msg, strategy, ...fields } = JSON.parse(raw) as Readonly<Record<string, unknown>>;
    if (typeof level !== 'number' || typeof time !== 'number' || level < least) return null;
    const text = typeof msg === 'string' ? msg : '';
    return {
      ts: time,
      level: LEVELS[level] ?? 'info',
      text,
      strategy: typeof strategy === 'string' ? strategy : null,
      fields,
    };
  } catch {
    return null;
  }
}
