/**
 * The cached tape (`compiled.tape`), valid while the SHA-256 of manifest and segments matches. Without write access a
 * temporary file.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import workerThreads from 'node:worker_threads';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import { compileTape } from '../compile/compile.ts';
import { recordingErrors } from '../errors.ts';
import { MANIFEST_FILE, readManifest } from '../frames/manifest.ts';
import { listSegments } from '../frames/segments.ts';
import { TapeFile } from './tape-file.ts';
import { BASE_LATENCY_US } from '../compile/timing.ts';

export const TAPE_FILE = 'compiled.tape';
/** Raised when decoders, times, columns or fingerprints change. */
const TAPE_VERSION = 12;
/** Read before the module is trapped. */
const THREAD = workerThreads.threadId;
const READ_BYTES = 1024 * 1024;

export interface TapeCacheOptions {
  readonly baseLatencyUs?: number;
  /** Compile even when the cache is good. */
  readonly force?: boolean;
  readonly progress?: (fraction: number) => void;
}

export interface CachedTape {
  readonly file: TapeFile;
  /** False when just compiled. */
  readonly cached: boolean;
  /** Closes the file; removes a temporary one. */
  release(): void;
}

/** @throws recording_manifest_invalid, recording_write_failed */
export async function tapeOf(dir: string, options: TapeCacheOptions = {}): Promise<CachedTape> {
  const manifest = readManifest(dir);
  const baseLatencyUs = options.baseLatencyUs ?? BASE_LATENCY_US;
  const key = await contentKey(dir, baseLatencyUs);
  const path = join(dir, TAPE_FILE);
  const known = options.force === true ? null : openGood(path, key);
  if (known !== null) return { file: known, cached: true, release: () => known.close() };
  const progress = options.progress === undefined ? {} : { progress: options.progress };
  const compile = { dir, manifest, key, baseLatencyUs, ...progress };
  try {
    const draft = `${path}.${process.pid}.${THREAD}.new`;
    await compileInto(draft, path, compile);
    const file = TapeFile.open(path);
    return { file, cached: false, release: () => file.close() };
  } catch (thrown) {
    if (isTidewireError(thrown)) throw thrown;
    return temporaryTape(compile, thrown);
  }
}

type Compile = Omit<Parameters<typeof compileTape>[0], 'path'>;

async function compileInto(draft: string, path: string, compile: Compile): Promise<void> {
  try {
    await compileTape({ ...compile, path: draft });
    renameSync(draft, path);
  } catch (thrown) {
    rmSync(draft, { force: true });
    throw thrown;
  }
}

async function temporaryTape(compile: Compile, first: unknown): Promise<CachedTape> {
  let temporary: string | null = null;
  try {
    temporary = mkdtempSync(join(tmpdir(), 'tidewire-tape-'));
    const path = join(temporary, TAPE_FILE);
    await compileInto(`${path}.new`, path, compile);
    const file = TapeFile.open(path);
    // The open file stays readable.
    rmSync(temporary, { recursive: true, force: true });
    return { file, cached: false, release: () => file.close() };
  } catch (thrown) {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
    throw recordingErrors.make(
      'recording_write_failed',
      `the tape of ${compile.dir} can be written neither beside it (${messageOf(first)}) nor in ${tmpdir()} (${messageOf(thrown)})`,
      { path: compile.dir },
    );
  }
}

/** Null unless whole and of this key. */
function openGood(path: string, key: string): TapeFile | null {
  if (!existsSync(path)) return null;
  let file: TapeFile | null = null;
  try {
    file = TapeFile.open(path);
    if (file.footer.key === key) {
      file.verify();
      return file;
    }
  } catch {
    // An unreadable cache is rebuilt.
  }
  file?.close();
  return null;
}

async function contentKey(dir: string, baseLatencyUs: number): Promise<string> {
  const hash = createHash('sha256').update(`tape ${TAPE_VERSION} ${baseLatencyUs}\n`);
  hash.update(readFileSync(join(dir, MANIFEST_FILE)));
  const buffer = new Uint8Array(READ_BYTES);
  for (const name of listSegments(dir)) {
    hash.update(`\n${name}\n`);
    await hashFile(join(dir, name), hash, buffer);
  }
  return hash.digest('hex');
}

/** A stream would make hundreds of megabytes of garbage. */
async function hashFile(path: string, hash: Hash, buffer: Uint8Array): Promise<void> {
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return;
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
