/** The session's log by pino. */
import { pino } from 'pino';
import type { Logger, LogLevel } from '../../model/ports.ts';
import { LOG_LIMITS, openLogFile } from './log-file.ts';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly file?: string;
  /** Warnings and errors. */
  readonly write?: (text: string) => void;
  /** So many lines of strategies go there at level info, too; for a run that keeps no log. */
  readonly strategyLines?: number;
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
  readonly time?: number;
}

interface LineText {
  readonly level: number;
  readonly text: string;
  readonly isOfStrategy: boolean;
  /** What stands in the line beside its text. */
  readonly fields: string;
}

function lineText(raw: string): LineText | null {
  try {
    const { level, msg, strategy, time: _, ...fields } = JSON.parse(raw) as Line;
    const said = msg ?? raw.trim();
    const who = strategy === undefined || said.startsWith(`${strategy}: `) ? '' : `${strategy}: `;
    return {
      level,
      text: `${LEVELS[level] ?? level} ${who}${said}`,
      isOfStrategy: strategy !== undefined,
      fields: msg === undefined || Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`,
    };
  } catch {
    return null;
  }
}

export function createLogger({ level, file, write, onLine, strategyLines = 0 }: LoggerOptions): Logger {
  const base = { level, base: null, redact: { paths: REDACTED, censor: '***' } };
  const toFile = file === undefined ? null : openLogFile(file, LOG_LIMITS, (reason) => write?.(`error ${reason}\n`));
  let shown = 0;
  const show = (text: string): void => {
    if (shown < strategyLines) write?.(`${text}\n`);
    else if (shown === strategyLines)
      write?.(`info strategies say more: after ${strategyLines} lines only warnings and errors are shown\n`);
    shown++;
  };
  const stream = {
    write: (raw: string): void => {
      toFile?.write(raw);
      if (write === undefined && onLine === undefined) return;
      const line = lineText(raw);
      if (line === null) return;
      if (line.level >= WARN) write?.(`${line.text}${line.isOfStrategy ? line.fields : ''}\n`);
      else if (strategyLines > 0 && line.isOfStrategy) show(line.text + line.fields);
      onLine?.(line.text);
    },
  };
  return pino(base, stream);
}
