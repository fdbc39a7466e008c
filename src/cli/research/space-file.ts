/** Space file and search method of `sweep` and `validate`. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { isMethod, methods, type Method } from '../../research/sweep/methods.ts';
import { parseSpace, unreadableSpace, type SpaceDocument } from '../../research/sweep/space.ts';
import { plainYaml, YAML_CHARS_MAX } from '../../session/config/plain-yaml.ts';
import { sessionErrors } from '../../session/errors.ts';
import type { CliIo } from '../command.ts';

/** More threads only wait and use memory. */
const WORKERS_PER_CORE_MAX = 8;

export function spaceFile(io: CliIo, path: string): SpaceDocument {
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd, path), 'utf8');
  } catch (thrown) {
    throw unreadableSpace(path, thrown);
  }
  if (text.length > YAML_CHARS_MAX) throw unreadableSpace(path, new Error(`longer than ${YAML_CHARS_MAX} characters`));
  const document = parseDocument(text, { logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) throw unreadableSpace(path, error);
  const plain = plainYaml(document);
  if (plain.kind === 'refused') throw unreadableSpace(path, new Error(plain.why));
  return parseSpace(plain.value, path);
}

export function methodOption(text: string): Method {
  if (isMethod(text)) return text;
  const names = Object.keys(methods).join(', ');
  throw sessionErrors.make('bad_option', `--method ${text} is none of ${names}`, { option: 'method' });
}

export function countOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw sessionErrors.make('bad_option', `--${name} ${text} is not a whole number of 1 or more`, { option: name });
}

export function workersOption(text: string | undefined): number {
  if (text?.startsWith('nats:') === true) {
    const message = `--workers ${text}: workers on other machines are not available in this version; give a number`;
    throw sessionErrors.make('bad_option', message, { option: 'workers' });
  }
  const cores = availableParallelism();
  const workers = countOption('workers', text) ?? cores;
  const most = WORKERS_PER_CORE_MAX * cores;
  if (workers <= most) return workers;
  const message = `--workers ${workers}: ${most} are the most here, ${WORKERS_PER_CORE_MAX} for each of ${cores} cores`;
  throw sessionErrors.make('bad_option', message, { option: 'workers', most });
}
