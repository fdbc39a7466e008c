/** Where a session's server listens, for `status` and for servers of other processes; and its token. */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../model/errors.ts';
import { readOwnerFile, writeOwnerFile } from '../../session/store/owner-file.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { bridgeErrors } from '../errors.ts';

const ADDRESS_FILE = 'dashboard.json';
export const TOKEN_FILE = 'dashboard.token';
const TOKEN_BYTES = 32;

/** `boot` and `pid`: of the start that wrote it. `certificate`: PEM that it shows, where it encrypts itself. */
const address = z.object({ url: z.url(), pid: z.int(), boot: z.int(), certificate: z.string().optional() });

export type Address = z.infer<typeof address>;

/** A failure leaves `status` without the address, nothing else. */
export function writeAddress({ path, record }: SessionFolder, url: string, certificateFile: string | null): void {
  try {
    const shown = certificateFile === null ? {} : { certificate: readFileSync(certificateFile, 'utf8') };
    const text = JSON.stringify({ url, pid: process.pid, boot: record.boots, ...shown });
    writeOwnerFile(join(path, ADDRESS_FILE), `${text}\n`, { replace: true });
  } catch {
    // The link was printed.
  }
}

export function dropAddress(folder: string): void {
  try {
    rmSync(join(folder, ADDRESS_FILE), { force: true });
  } catch {
    // Its process is known to be gone by the lock.
  }
}

/** Of the session's last start; null: none. Whether its process lives is for the caller to know. */
export function readAddress({ path, record }: SessionFolder): Address | null {
  try {
    const known = address.parse(JSON.parse(readFileSync(join(path, ADDRESS_FILE), 'utf8')));
    return known.pid === record.pid && known.boot === record.boots ? known : null;
  } catch {
    return null;
  }
}

/** Null: none, or not readable by this user alone. */
export function readToken(folder: string): string | null {
  try {
    return readOwnerFile(join(folder, TOKEN_FILE))?.trim() ?? null;
  } catch {
    return null;
  }
}

/**
 * The token of a folder: the given one, or the one that lies there, or a new one of 256 bits. It is kept in the folder,
 * mode 0600. Throws `dashboard_token`.
 */
export function keepToken(folder: string, given: string | null): string {
  const token = given ?? readToken(folder) ?? randomBytes(TOKEN_BYTES).toString('base64url');
  try {
    writeOwnerFile(join(folder, TOKEN_FILE), `${token}\n`, { replace: true });
  } catch (thrown) {
    throw bridgeErrors.make('dashboard_token', `the token cannot be kept: ${messageOf(thrown)}`, {}, thrown);
  }
  return token;
}
