/**
 * The key a process uses: the environment first, then the key file (`TIDEWIRE_KEY_FILE`, else
 * `data/keys/default.json`).
 */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Credentials } from '../../exchange/client/credentials.ts';
import { credentialsOf } from '../connection/connection.ts';
import { sessionErrors } from '../errors.ts';
import { isLoopback } from '../connection/is-loopback.ts';
import { readOwnerFile, writeOwnerFile, type OwnerFileWish } from '../store/owner-file.ts';
import { ageWarning, keyAge } from './age.ts';
import { NONCE_BYTES, openKey, readKeyFacts, SALT_BYTES, sealKey, type KeyFacts } from './format.ts';

const STANDARD_PATH = 'data/keys/default.json';
const PASSPHRASE_LENGTH_MIN = 12;

type Environment = Readonly<Record<string, string | undefined>>;

export function keyFilePath(cwd: string, environment: Environment, given?: string): string {
  const named = environment['TIDEWIRE_KEY_FILE'];
  return resolve(cwd, given ?? (named === undefined || named === '' ? STANDARD_PATH : named));
}

export interface StoredKey {
  readonly path: string;
  readonly facts: KeyFacts;
  /** Throws `key_file_passphrase`, `key_file_damaged`. */
  open(passphrase: string): Credentials;
}

/** Throws `key_file_damaged`, `owner_file_open`, `owner_file_unreadable`. */
export function findStoredKey(path: string): StoredKey | null {
  const text = readOwnerFile(path);
  if (text === null) return null;
  return { path, facts: readKeyFacts(text, path), open: (passphrase) => openKey(text, passphrase, path) };
}

/** Throws `key_file_passphrase`. */
export function checkPassphrase(passphrase: string): void {
  if ([...new Intl.Segmenter().segment(passphrase)].length >= PASSPHRASE_LENGTH_MIN) return;
  throw sessionErrors.make('key_file_passphrase', `a passphrase needs ${PASSPHRASE_LENGTH_MIN} characters or more`);
}

/** Durable. Throws `owner_file_exists`, `key_file_passphrase`. */
export function storeKey(
  path: string,
  facts: KeyFacts,
  secretKey: string,
  passphrase: string,
  wish: OwnerFileWish,
): void {
  checkPassphrase(passphrase);
  const entropy = { salt: randomBytes(SALT_BYTES), nonce: randomBytes(NONCE_BYTES) };
  writeOwnerFile(path, sealKey(facts, secretKey, passphrase, entropy), wish);
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** Local sandboxes may change their port. */
export function belongsTo({ exchange }: KeyFacts, baseUrl: string): boolean {
  if (originOf(exchange) === originOf(baseUrl)) return true;
  return URL.canParse(exchange) && URL.canParse(baseUrl) && isLoopback(exchange) && isLoopback(baseUrl);
}

export interface KeyWish {
  readonly cwd: string;
  readonly environment: Environment;
  /** `exchange.baseUrl` */
  readonly exchange: string;
  /** Unix ms. */
  readonly now: number;
  /** Throws without a terminal. */
  readonly passphrase: (path: string) => Promise<string>;
  readonly warn: (text: string) => void;
}

/** Throws `key_file_other_exchange` and errors of `findStoredKey` and `open`. */
export async function findCredentials(wish: KeyWish): Promise<Credentials | null> {
  const given = credentialsOf(wish.environment);
  if (given !== null) return given;
  const stored = findStoredKey(keyFilePath(wish.cwd, wish.environment));
  if (stored === null) return null;
  const { facts, path } = stored;
  if (!belongsTo(facts, wish.exchange)) {
    throw sessionErrors.make('key_file_other_exchange', `${path} is for ${facts.exchange}, not for ${wish.exchange}`, {
      path,
      exchange: facts.exchange,
    });
  }
  const credentials = stored.open(await wish.passphrase(path));
  const warning = ageWarning(keyAge(facts, wish.now));
  if (warning !== null) wish.warn(warning);
  return credentials;
}
