/** The session's log by pino. */
import { pino } from 'pino';
import type { Logger, LogLevel } from '../model/ports.ts';
import { LOG_LIMITS, openLogFile } from './log-file.ts';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly file?: string;
  /** Warnings and errors. */
  readonly write?: (text: string) => void;
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
