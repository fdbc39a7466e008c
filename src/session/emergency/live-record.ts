/** A live session's record beside its account lock, for `panic`. No secret. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { exchangeOptions } from '../../exchange/options.ts';
import { messageOf } from '../../model/errors.ts';
import { accountsRoot, KEY_PREFIX } from '../store/account-place.ts';
import { readOwnerFile, writeOwnerFile } from '../store/owner-file.ts';

const FILE = 'live.json';

const recordSchema = z.object({
  version: z.literal(1),
  pid: z.number(),
  account: z.string(),
  exchange: exchangeOptions,
  keyHash: z.string(),
  /** Null: the key came from the environment. */
  keyFile: z.string().nullable(),
  root: z.string(),
  /** Null before the session folder exists. */
  path: z.string().nullable(),
  /** Lag of the exchange's lists, ms. */
  lagMs: z.number(),
});

export type LiveRecord = z.output<typeof recordSchema>;

export interface LiveAccount {
  readonly folder: string;
  /** Null when absent or unreadable. */
  readonly record: LiveRecord | null;
}

export function writeLiveRecord(folder: string, record: LiveRecord): void {
  writeOwnerFile(join(folder, FILE), `${JSON.stringify(record, null, 2)}\n`, { replace: true });
}

export function removeLiveRecord(folder: string): void {
  rmSync(join(folder, FILE), { force: true });
}

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
