/** A logger whose lines are kept: messages in `text`, all of each line in `all`. */
import type { Logger } from '../../../src/model/ports.ts';

export interface KeptLines extends Logger {
  readonly text: readonly string[];
  readonly all: readonly string[];
}

export function lines(): KeptLines {
  const text: string[] = [];
  const all: string[] = [];
  const keep = (fields: object, message = ''): void => {
    text.push(message);
    all.push(`${JSON.stringify(fields)} ${message}`);
  };
  const logger: KeptLines = { debug: keep, info: keep, warn: keep, error: keep, child: () => logger, text, all };
  return logger;
}
