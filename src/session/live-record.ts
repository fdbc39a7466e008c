/**
 * What a live session leaves beside the lock of its account for a `panic` that may find nothing else: addresses, account,
 * folders, process, and where its key comes from. No secret. Written when the account is held, removed at the end.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { exchangeOptions } from '../exchange/options.ts';
import { messageOf } from '../model/errors.ts';
import { accountsRoot, KEY_PREFIX } from './account-place.ts';
import { readOwnerFile, writeOwnerFile } from './owner-file.ts';

const FILE = 'live.json';

const recordSchema = z.object({
  version: z.literal(1),
  pid: z.number(),
  account: z.string(),
  exchange: exchangeOptions,
  /** Of the public key. */
  keyHash: z.string(),
  /** Where the key may be had again; null: the environment of that process. */
  keyFile: z.string().nullable(),
  /** `journal.dir`, resolved. */
  root: z.string(),
  /** Of the session; null before it has one. */
  path: z.string().nullable(),
  /** What lists of the exchange may lag behind, ms. */
  lagMs: z.number(),
});

export type LiveRecord = z.output<typeof recordSchema>;

export interface LiveAccount {
  readonly folder: string;
  /** Null where there is none that can be read. */
  readonly record: LiveRecord | null;
}

export function writeLiveRecord(folder: string, record: LiveRecord): void {
  writeOwnerFile(join(folder, FILE), `${JSON.stringify(record, null, 2)}\n`, { replace: true });
}

export function removeLiveRecord(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

/** Every account that was ever held here. What cannot be read is told. */
export function liveAccounts(problem: (text: string) => void): readonly LiveAccount[] {
  const root = accountsRoot();
  let names: readonly string[];
  try {
    names = readdirSync(root).filter((name) => !name.startsWith(KEY_PREFIX));
  } catch (thrown) {
    if ((thrown as { readonly code?: unknown }).code !== 'ENOENT') problem(messageOf(thrown));
    return [];
  }
  return names.map((name) => ({ folder: join(root, name), record: readRecord(join(root, name), problem) }));
}

function readRecord(folder: string, problem: (text: string) => void): LiveRecord | null {
  try {
    const text = readOwnerFile(join(folder, FILE));
    return text === null ? null : recordSchema.parse(JSON.parse(text));
  } catch (thrown) {
    problem(`${join(folder, FILE)} cannot be read: ${messageOf(thrown)}`);
    return null;
  }
}
