/**
 * Trades of live sessions that `data prune` deletes, so that `journal trades` still knows their lots and disposals. One
 * file a session in `.trades` under `journal.dir`; its name holds the hash of its bytes.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { journalErrors } from '../../journal/errors.ts';
import { makeFolder, writeWhole } from '../../journal/files/files.ts';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import { cannotWrite } from '../../session/store/cannot-write.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { operationErrors } from '../errors.ts';
import { tradesOf, type SessionTrades } from './session-fills.ts';

const FOLDER = '.trades';
const VERSION = 1;
const HASH_CHARS = 16;
const NAME = new RegExp(`\\.([0-9a-f]{${HASH_CHARS}})\\.zst$`);

export interface KeptTrades extends SessionTrades {
  readonly version: number;
  readonly session: string;
  /** Unix ms. */
  readonly startedAt: number;
}

/** Durable on return. Throws as `tradesOf` does, `disk_full`, `not_writable`. */
export function keepTrades(sessionsDir: string, folder: SessionFolder): void {
  const trades = tradesOf(folder);
  if (trades.fills.length + trades.fundings.length === 0) return;
  const { id: session, startedAt } = folder.record;
  const kept: KeptTrades = { version: VERSION, session, startedAt, ...trades };
  const bytes = zstdCompressSync(JSON.stringify(kept));
  const place = join(sessionsDir, FOLDER);
  try {
    makeFolder(place, 0o700);
    writeWhole(join(place, `${session}.${hashOf(bytes)}.zst`), bytes);
  } catch (thrown) {
    throw cannotWrite(place, thrown);
  }
}

/** Oldest first. Throws `pruned_trades`, `journal_newer`. */
export function keptTrades(sessionsDir: string): readonly KeptTrades[] {
  const place = join(sessionsDir, FOLDER);
  if (!existsSync(place)) return [];
  const files = readdirSync(place).filter((name) => name.endsWith('.zst'));
  return files.map((name) => readKept(join(place, name))).toSorted((left, right) => left.startedAt - right.startedAt);
}

function readKept(path: string): KeptTrades {
  try {
    const bytes = readFileSync(path);
    if (NAME.exec(path)?.[1] !== hashOf(bytes)) throw new Error('it is not what was written');
    const kept = JSON.parse(zstdDecompressSync(bytes).toString()) as KeptTrades;
    if (kept.version === VERSION) return kept;
    throw journalErrors.make('journal_newer', `${path} has version ${kept.version}, this one knows ${VERSION}`, {
      path,
    });
  } catch (thrown) {
    if (isTidewireError(thrown)) throw thrown;
    throw operationErrors.make('pruned_trades', `${path}: ${messageOf(thrown)}`, { path }, thrown);
  }
}

function hashOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex').slice(0, HASH_CHARS);
}
