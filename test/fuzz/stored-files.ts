/** Good files of every kind that is read back, small, and how each is read. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { openJournal, JOURNAL_FILE } from '../../src/journal/sqlite-store.ts';
import { readJournal, verifyJournal } from '../../src/journal/verify.ts';
import { FrameLog } from '../../src/recording/frames/frames.ts';
import { compileTape } from '../../src/recording/compile/compile.ts';
import { MANIFEST_FILE, writeManifest, type Manifest } from '../../src/recording/frames/manifest.ts';
import { verifyRecording } from '../../src/recording/verify.ts';
import { openBook, sealBook } from '../../src/session/address-book/book.ts';
import { loadConfig } from '../../src/session/config/load.ts';
import { openKey, sealKey } from '../../src/session/key-file/format.ts';
import { readResult } from '../../src/session/result/result.ts';
import { parseSession } from '../../src/session/store/store.ts';
import { btc } from '../exchange/wire/samples.ts';
import { sampleResult } from '../research/report/sample-result.ts';
import type { Corpus } from './corpus.ts';

export interface StoredFile {
  readonly name: string;
  readonly whole: Buffer;
  readonly isText: boolean;
  /** Where it must lie to be read; null: it is read from its text. */
  readonly path: string | null;
  /** Null: refused in words. Throws what is typed. */
  readonly read: (text: string) => unknown;
  /** All that may be read of it, where it carries the proof in itself. */
  readonly proves: unknown;
}

const START_MS = Date.UTC(2026, 0, 1);
const JOURNAL_ROWS = 60;
const KEY_COST = 2 ** 14;
const credentials = createCredentials('ab'.repeat(32), 'cd'.repeat(32));

export function texts(folder: string): readonly StoredFile[] {
  const config = join(folder, 'c.yaml');
  const record = {
    version: 1,
    id: 'live-maker-20260101-000000-ab',
    mode: 'live',
    strategies: [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: { a: 1 } }],
    seed: 1,
    account: 'alice',
    exchange: 'http://x.invalid',
    startedAt: START_MS,
    boots: 2,
    pid: 1,
    decidingFrom: null,
    decidingTo: null,
    clean: false,
    endedAt: null,
  };
  const text = (
    name: string,
    whole: string,
    read: (text: string) => unknown,
    path: string | null = null,
  ): StoredFile => {
    return { name, whole: Buffer.from(whole), isText: true, path, read, proves: null };
  };
  return [
    text('session', JSON.stringify(record), (told) => parseSession(told, 'session.json')),
    text('result', JSON.stringify(sampleResult()), (told) => readResult(told, 'r.json')),
    text(
      'config',
      'exchange: { baseUrl: "http://127.0.0.1:9", clientOrderIds: true }\nrisk: { messagesPerSecond: 10 }\njournal:\n  dir: data/sessions\n  durability: full\nstrategies:\n  - file: maker.ts\n    params: { size: "0.1" }\n',
      () => loadConfig({ file: config, environment: {} }).config,
      config,
    ),
  ];
}

export function bookFile(): StoredFile {
  const entry = {
    name: 'cold',
    currency: 'USDT',
    network: 'TRC20',
    address: 'TXk1',
    memo: null,
    addedAt: START_MS,
    delayHours: 24,
  };
  const whole = sealBook([entry], credentials);
  const read = (text: string) => openBook(text, credentials, 'book');
  return { name: 'address book', whole: Buffer.from(whole), isText: true, path: null, read, proves: read(whole) };
}

export function keyFile(): StoredFile {
  const about = {
    publicKey: 'ab'.repeat(32),
    name: 'bot',
    account: 'alice',
    exchange: 'http://x.invalid',
    createdAt: START_MS,
    permissions: null,
    ipAddresses: null,
  };
  const entropy = { salt: Buffer.alloc(32, 1), nonce: Buffer.alloc(12, 2) };
  const whole = sealKey(about, 'cd'.repeat(32), 'a passphrase', entropy, KEY_COST);
  // A cost that was made higher is honest work, and none that this run has time for.
  const read = (text: string) =>
    /"cost":\s*16384\b/.test(text) ? openKey(text, 'a passphrase', 'key').secret.export().toString('utf8') : null;
  return { name: 'key file', whole: Buffer.from(whole), isText: true, path: null, read, proves: read(whole) };
}

/** What a start reads, what `journal` shows and what `journal verify` says must not contradict each other. */
export function journalFile(folder: string): StoredFile {
  const dir = join(folder, 'journal');
  const store = openJournal(dir, { durability: 'normal' });
  for (let row = 0; row < JOURNAL_ROWS; row++) {
    store.append(START_MS + row, [
      { kind: 'note', strategy: 'maker', text: `note ${row}`, data: { row, text: 'x'.repeat(row) } },
    ]);
  }
  store.close();
  const path = join(dir, JOURNAL_FILE);
  const rows = [...readJournal(path)];
  const read = () => {
    const { ok } = verifyJournal(path);
    const read = [...readJournal(path)];
    return ok ? read : null;
  };
  return { name: 'journal', whole: readFileSync(path), isText: false, path, read, proves: rows };
}

const manifest: Manifest = {
  format: 1,
  source: 'tidewire',
  created: START_MS,
  symbols: [btc.symbol],
  instruments: [{ ...btc }],
  rules: { [btc.symbol]: 'seq' },
  options: { compress: true },
  inputs: [],
  warnings: [],
  problems: [],
  segments: [],
};

async function recorded(dir: string, { frames }: Corpus): Promise<Manifest> {
  mkdirSync(dir);
  const log = new FrameLog({ dir, compress: true, clock: null, blockBytes: 4_096 });
  for (const [index, { text }] of frames.entries())
    log.append({ receiveUs: (START_MS + index) * 1000, kind: 'public', generation: 1, text });
  const { segments } = await log.close();
  const whole = { ...manifest, segments: [...segments] };
  writeManifest(dir, whole);
  return whole;
}

/** Frames that are there, when nothing is said to be lost. */
async function verified(path: string): Promise<unknown> {
  const { ok, lost, lostKnown, frames, undecoded } = await verifyRecording(path);
  return lost === 0 && lostKnown && (ok || undecoded > 0) ? frames : null;
}

export async function recordingFile(folder: string, corpus: Corpus): Promise<StoredFile> {
  const dir = join(folder, 'recording');
  const { segments } = await recorded(dir, corpus);
  const path = join(dir, segments[0]?.file ?? '');
  const read = () => verified(dir);
  return { name: 'recording', whole: readFileSync(path), isText: false, path, read, proves: await read() };
}

/** A manifest proves nothing: it says what the recording means. */
export async function manifestFile(folder: string, corpus: Corpus): Promise<StoredFile> {
  const dir = join(folder, 'described');
  await recorded(dir, corpus);
  const path = join(dir, MANIFEST_FILE);
  return { name: 'manifest', whole: readFileSync(path), isText: true, path, read: () => verified(dir), proves: null };
}

export async function tapeFile(folder: string, corpus: Corpus): Promise<StoredFile> {
  const dir = join(folder, 'compiled');
  const whole = await recorded(dir, corpus);
  const path = join(folder, 'one.tape');
  await compileTape({ dir, manifest: whole, key: 'key', baseLatencyUs: 0, path });
  const read = () => verified(path);
  return { name: 'tape', whole: readFileSync(path), isText: false, path, read, proves: await read() };
}
