/** The one money journal of an account, known by its keys and addresses. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { JOURNAL_FILE } from '../../journal/sqlite-store.ts';
import { replayJournal } from '../../journal/resume.ts';
import { sessionErrors } from '../errors.ts';
import { keyHash } from '../connection/key-hash.ts';
import { readOwnerFile, writeOwnerFile } from '../store/owner-file.ts';

const FILE = 'accounts.json';

const placeSchema = z.object({
  folder: z.string(),
  account: z.string(),
  exchanges: z.array(z.string()),
  keys: z.array(z.string()),
});
const fileSchema = z.object({ version: z.literal(1), places: z.array(placeSchema) });
type Place = z.output<typeof placeSchema>;

export interface MoneyIdentity {
  /** `journal.dir`, resolved. */
  readonly sessionsDir: string;
  /** `login` of `/auth/me`. */
  readonly account: string;
  /** Host of its address. */
  readonly exchangeName: string;
  /** Null: a login without a key. */
  readonly publicKey: string | null;
}

/** The current one first. Throws `owner_file_unreadable`. */
export function moneyPlaces(identity: MoneyIdentity): readonly string[] {
  const root = rootOf(identity);
  const known = read(root).filter((place) => isOf(place, identity));
  const names = new Set([...known.map(({ folder }) => folder), nameOf(identity)]);
  const folders = [...names].map((name) => join(root, name));
  const written = folders.filter((folder) => existsSync(join(folder, JOURNAL_FILE)));
  if (written.length < 2) return written.length === 0 ? folders.slice(0, 1) : written;
  // Unknown outcomes come first.
  return written.toSorted((a, b) => Number(hasUnknown(b)) - Number(hasUnknown(a)));
}

/** Records that this address and key lead to that journal. */
export function enterPlace(identity: MoneyIdentity, folder: string): void {
  const root = rootOf(identity);
  const places = read(root);
  const name = folder.slice(root.length + 1);
  const before = places.find((place) => place.folder === name) ?? {
    folder: name,
    account: identity.account,
    exchanges: [],
    keys: [],
  };
  const key = identity.publicKey === null ? null : keyHash(identity.publicKey);
  const exchanges = new Set([...before.exchanges, identity.exchangeName]);
  const keys = new Set([...before.keys, ...(key === null ? [] : [key])]);
  if (exchanges.size === before.exchanges.length && keys.size === before.keys.length) return;
  const entered = { ...before, exchanges: [...exchanges], keys: [...keys] };
  const all = [...places.filter((place) => place.folder !== name), entered];
  writeOwnerFile(join(root, FILE), `${JSON.stringify({ version: 1, places: all }, null, 2)}\n`, { replace: true });
}

export function hasUnknown(folder: string): boolean {
  return replayJournal(folder).state.money.unresolved().length > 0;
}

function rootOf({ sessionsDir }: MoneyIdentity): string {
  return join(dirname(sessionsDir), 'money');
}

function nameOf({ exchangeName, account }: MoneyIdentity): string {
  return `${exchangeName}-${account}`.replaceAll(/[^A-Za-z0-9._@-]+/g, '_');
}

function isOf(place: Place, { account, exchangeName, publicKey }: MoneyIdentity): boolean {
  const key = publicKey === null ? null : keyHash(publicKey);
  return (
    place.account === account && (place.exchanges.includes(exchangeName) || (key !== null && place.keys.includes(key)))
  );
}

function read(root: string): readonly Place[] {
  const path = join(root, FILE);
  const text = readOwnerFile(path);
  if (text === null) return [];
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    document = undefined;
  }
  const parsed = fileSchema.safeParse(document);
  if (parsed.success) return parsed.data.places;
  throw sessionErrors.make('owner_file_unreadable', `${path} is not what tidewire wrote there`, { path });
}
