/** The support bundle: texts about session and machine without secrets (reliability H07). */
import { closeSync, existsSync, fstatSync, openSync, readSync, readdirSync, statSync } from 'node:fs';
import { arch, availableParallelism, freemem, loadavg, platform, release, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { readJournal, verifyJournal } from '../../journal/verify.ts';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import type { JournalEntry, JournalRow } from '../../model/entries/journal.ts';
import type { Json } from '../../model/text/json.ts';
import { buildId } from '../../session/store/build.ts';
import { logFiles } from '../../session/store/log-file.ts';
import { sessionState } from '../../session/upkeep/session-state.ts';
import { sessionFiles, type SessionFolder } from '../../session/store/store.ts';
import type { Check } from '../doctor.ts';
import type { Hiding } from './hiding.ts';
import { streamHealth } from './stream-health.ts';

export interface BundleSource {
  /** Null without a session. */
  readonly folder: SessionFolder | null;
  readonly sessionProblem: string | null;
  /** Masked values with layers, or the file's errors. */
  readonly config: unknown;
  readonly checks: readonly Check[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Unix ms. */
  readonly now: number;
  readonly rowsMax: number;
  readonly linesMax: number;
  readonly hiding: Hiding;
}

export interface BundleFile {
  readonly name: string;
  readonly text: string;
}

/** Bytes read from the log's end. */
const LOG_TAIL_BYTES = 4 * 1024 * 1024;

/** Throws `bundle_unsafe`. */
export function bundleOf(source: BundleSource): readonly BundleFile[] {
  const { folder, hiding, config, sessionProblem } = source;
  const files: (readonly [name: string, text: string])[] = [
    ['about.json', page(about(source))],
    ['config.json', page(config)],
    ...(folder === null
      ? [['session.json', page({ problem: sessionProblem })] as const]
      : sessionPages(folder, source.rowsMax, source.linesMax)),
  ];
  return files.map(([name, text]) => ({ name, text: hiding.text(text) }));
}

function page(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function about({ checks, env, now }: BundleSource): object {
  const { node, v8, modules, uv, openssl } = process.versions;
  return {
    madeAt: new Date(now).toISOString(),
    tidewire: buildId(),
    versions: { node, v8, modules, uv, openssl },
    system: {
      platform: platform(),
      arch: arch(),
      release: release(),
      cores: availableParallelism(),
      memoryBytes: totalmem(),
      freeBytes: freemem(),
      load: loadavg(),
      uptimeS: Math.round(uptime()),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
    // Names alone: a value may be a secret.
    environment: Object.keys(env)
      .filter((name) => /^(TIDEWIRE_|NODE_|NO_COLOR$|https?_proxy$)/i.test(name))
      .toSorted(),
    checks,
  };
}

function sessionPages(
  folder: SessionFolder,
  rowsMax: number,
  linesMax: number,
): readonly (readonly [string, string])[] {
  const { path, record } = folder;
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, stat: statSync(join(path, name), { throwIfNoEntry: false }) }))
    .flatMap(({ name, stat }) => (stat?.isFile() === true ? [{ name, bytes: stat.size }] : []));
  const state = told(() => sessionState(folder));
  return [
    ['session.json', page({ record, state, journal: told(() => verifyJournal(path)), files })],
    ['streams.json', page(told(() => streamHealth(readJournal(path))))],
    ['journal.jsonl', textOf(() => rowsText(readJournal(path), rowsMax))],
    ['log.jsonl', textOf(() => logText(path, linesMax))],
  ];
}

function told(read: () => unknown): unknown {
  try {
    return read();
  } catch (thrown) {
    return { problem: problemOf(thrown) };
  }
}

function textOf(read: () => string): string {
  try {
    return read();
  } catch (thrown) {
    return `${JSON.stringify({ problem: problemOf(thrown) })}\n`;
  }
}

function problemOf(thrown: unknown): string {
  return isTidewireError(thrown) ? `${thrown.code}: ${thrown.message}` : messageOf(thrown);
}

function rowsText(rows: Iterable<JournalRow>, max: number): string {
  const kept: string[] = [];
  for (const { seq, ts, entry } of rows) {
    kept.push(JSON.stringify({ seq, ts, entry: shareable(entry) }));
    if (kept.length >= max * 2) kept.splice(0, kept.length - max);
  }
  return kept
    .slice(-max)
    .map((line) => `${line}\n`)
    .join('');
}

/** Removes payment details and private strategy data. */
function shareable(entry: JournalEntry): unknown {
  switch (entry.kind) {
    case 'money-intent':
      return { ...entry, request: { kind: entry.request.kind }, before: null };
    case 'money-resolved':
      return { ...entry, evidence: null };
    case 'state':
      return { ...entry, value: `${entry.value.length} characters` };
    case 'decision':
      return { ...entry, action: actionShown(entry.action) };
    default:
      return entry;
  }
}

const MONEY_ACTIONS: ReadonlySet<unknown> = new Set(['transfer', 'advertise', 'p2pTrade']);

function actionShown(action: Json): unknown {
  if (action === null || typeof action !== 'object' || !('kind' in action)) return action;
  return MONEY_ACTIONS.has(action.kind) ? { kind: action.kind } : action;
}

/** The newest lines; the newest file may be short. */
function logText(path: string, max: number): string {
  const files = logFiles(join(path, sessionFiles.log)).slice(-2);
  const lines = files.flatMap((file) => (existsSync(file) ? tailLines(file) : []));
  return lines
    .slice(-max)
    .map((line) => `${line}\n`)
    .join('');
}

function tailLines(file: string): readonly string[] {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const from = Math.max(0, size - LOG_TAIL_BYTES);
    const bytes = Buffer.alloc(size - from);
    const read = readSync(handle, bytes, 0, bytes.length, from);
    const lines = bytes.subarray(0, read).toString('utf8').split('\n');
    // The first line may be cut.
    return (from > 0 ? lines.slice(1) : lines).filter((line) => line !== '');
  } finally {
    closeSync(handle);
  }
}
