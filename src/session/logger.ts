/**
 * The session's log: pino, JSON lines to a file or a short line each for people. The only room that makes pino loggers
 * (wall 11); the others get a `Logger`. Secrets are never given to it; the paths below are a second net.
 */
import { pino } from 'pino';
import type { Logger, LogLevel } from '../model/ports.ts';
import { LOG_LIMITS, openLogFile } from './log-file.ts';

export interface LoggerOptions {
  readonly level: LogLevel;
  /** JSON lines to this file, bounded. */
  readonly file?: string;
  /** Short lines for people, warnings and worse. */
  readonly write?: (text: string) => void;
  /** The newest lines for a screen. */
  readonly onLine?: (text: string) => void;
}

const REDACTED = [
  '*.secretKey',
  '*.secret',
  '*.signature',
  '*.password',
  '*.token',
  'secretKey',
  'secret',
  'signature',
  'password',
  'token',
];
const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error' };
const WARN = 40;

interface Line {
  readonly level: number;
  readonly msg?: string;
  readonly strategy?: string;
}

function lineText(raw: string): { readonly level: number; readonly text: string } | null {
  try {
    const { level, msg, strategy } = JSON.parse(raw) as Line;
    const said = msg ?? raw.trim();
    const who = strategy === undefined || said.startsWith(`${strategy}: `) ? '' : `${strategy}: `;
    return { level, text: `${LEVELS[level] ?? level} ${who}${said}` };
  } catch {
    return null;
  }
}

/** A log that also tells people; both sinks are optional. */
export function createLogger({ level, file, write, onLine }: LoggerOptions): Logger {
  const base = { level, base: null, redact: { paths: REDACTED, censor: '***' } };
  const toFile = file === undefined ? null : openLogFile(file, LOG_LIMITS, (reason) => write?.(`error ${reason}\n`));
  const stream = {
    write: (raw: string): void => {
      toFile?.write(raw);
      if (write === undefined && onLine === undefined) return;
      const line = lineText(raw);
      if (line === null) return;
      if (line.level >= WARN) write?.(`${line.text}\n`);
      onLine?.(line.text);
    },
  };
  return pino(base, stream);
}
