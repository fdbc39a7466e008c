/** Log lines about an order. The log has machine time, which differs from session time by the clock skew. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { logFiles } from '../../session/store/log-file.ts';

export interface LogLine {
  /** Unix ms, the machine's clock. */
  readonly ts: number;
  readonly level: number;
  readonly text: string;
}

export interface LogQuestion {
  readonly strategy: string;
  readonly names: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
}

const LINES_MAX = 100;
/** Margin around the order's life, for the skew. */
const MARGIN_MS = 1_000;

/** The newest hundred, oldest first; empty without a log. */
export async function logLines(file: string, question: LogQuestion): Promise<readonly LogLine[]> {
  const found: LogLine[] = [];
  for (const part of logFiles(file)) {
    const stream = createReadStream(part, 'utf8');
    for await (const raw of createInterface({ input: stream, crlfDelay: Infinity })) {
      const line = wanted(raw, question);
      if (line === null) continue;
      found.push(line);
      if (found.length > LINES_MAX) found.shift();
    }
  }
  return found;
}

function wanted(raw: string, { strategy, names, fromMs, toMs }: LogQuestion): LogLine | null {
  const value = parsed(raw);
  if (value === null) return null;
  const isNamed = names.some((name) => raw.includes(name));
  const isThen = value['strategy'] === strategy && value.time >= fromMs - MARGIN_MS && value.time <= toMs + MARGIN_MS;
  if (!isNamed && !isThen) return null;
  return { ts: value.time, level: value.level, text: typeof value['msg'] === 'string' ? value['msg'] : raw };
}

type Line = Readonly<Record<string, unknown>> & { readonly time: number; readonly level: number };

/** Null for a line cut by a crash. */
function parsed(raw: string): Line | null {
  try {
    const value: unknown = JSON.parse(raw);
    return isLine(value) ? value : null;
  } catch {
    return null;
  }
}

function isLine(value: unknown): value is Line {
  if (typeof value !== 'object' || value === null) return false;
  return 'time' in value && typeof value.time === 'number' && 'level' in value && typeof value.level === 'number';
}
