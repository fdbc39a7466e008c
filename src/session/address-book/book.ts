/** The only addresses that `wallet withdraw` sends to, sealed with a key from the API secret. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Credentials } from '../../exchange/client/credentials.ts';
import { wrongAddress } from '../../exchange/wire/money/address-form.ts';
import { canonicalJson } from '../../model/text/canonical.ts';
import { sessionErrors } from '../errors.ts';

const FORMAT = 'tidewire-address-book';
const VERSION = 1;
const ENTRIES_MAX = 1000;
const HOUR_MS = 3_600_000;

const PRINTABLE = /^[\x21-\x7e]{4,128}$/;

const entrySchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9._-]{1,40}$/, 'expected 1 to 40 letters, digits, . _ or -'),
  currency: z.string().regex(/^[A-Z0-9_-]{1,20}$/),
  network: z.string().regex(/^[A-Za-z0-9_-]{1,20}$/),
  address: z.string().regex(PRINTABLE, 'expected 4 to 128 printable characters without blanks'),
  memo: z
    .string()
    .regex(/^[\x20-\x7e]{1,128}$/, 'expected 1 to 128 printable characters')
    .nullable(),
  /** Unix ms, exchange time. */
  addedAt: z.number().min(0),
  delayHours: z.number().min(0),
});

export type BookEntry = Readonly<z.infer<typeof entrySchema>>;

const bookSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  sealedBy: z.string(),
  entries: z.array(entrySchema).max(ENTRIES_MAX),
  seal: z.base64(),
});

function sealOf(credentials: Credentials, entries: readonly BookEntry[]): Buffer {
  const key = createHmac('sha256', credentials.secret).update(`${FORMAT}/${VERSION}`).digest();
  const sealed = canonicalJson({ format: FORMAT, version: VERSION, sealedBy: credentials.publicKey, entries });
  return createHmac('sha256', key).update(sealed).digest();
}

export function sealBook(entries: readonly BookEntry[], credentials: Credentials): string {
  const { publicKey: sealedBy } = credentials;
  const seal = sealOf(credentials, entries).toString('base64');
  return `${JSON.stringify({ format: FORMAT, version: VERSION, sealedBy, entries, seal }, null, 2)}\n`;
}

function damaged(path: string, why: string): Error {
  return sessionErrors.make('address_book_damaged', `${path}: ${why}`, { path });
}

function parse(text: string, path: string): z.infer<typeof bookSchema> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw damaged(path, 'not a whole JSON document');
  }
  const parsed = bookSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw damaged(path, `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not an address book'}`);
}

/** Without a check of the seal. */
export function unprovedEntries(text: string, path: string): readonly BookEntry[] {
  return parse(text, path).entries;
}

/** Throws `address_book_other_key`, `address_book_damaged`. */
export function openBook(text: string, credentials: Credentials, path: string): readonly BookEntry[] {
  const { sealedBy, entries, seal } = parse(text, path);
  if (sealedBy !== credentials.publicKey) {
    throw sessionErrors.make(
      'address_book_other_key',
      `${path} is sealed with the key ${sealedBy.slice(0, 8)}…, the key in use is ${credentials.publicKey.slice(0, 8)}…`,
      { path, sealedBy },
    );
  }
  const found = Buffer.from(seal, 'base64');
  const expected = sealOf(credentials, entries);
  if (found.length !== expected.length || !timingSafeEqual(found, expected)) {
    throw damaged(path, 'it was changed by something other than tidewire');
  }
  return entries;
}

export type NewEntry = Pick<BookEntry, 'name' | 'currency' | 'network' | 'address' | 'memo'>;

/** Money sent to such an address is gone. Throws `address_invalid`. */
function requireForm({ network, address }: Pick<BookEntry, 'network' | 'address'>): void {
  const wrong = wrongAddress(network, address);
  if (wrong === null) return;
  throw sessionErrors.make('address_invalid', `${address} is no address of ${network}: ${wrong}`, { network });
}

/** Throws `address_invalid`, also for a duplicate. */
export function addEntry(
  entries: readonly BookEntry[],
  wanted: NewEntry,
  now: number,
  delayHours: number,
): readonly BookEntry[] {
  const parsed = entrySchema.safeParse({ ...wanted, addedAt: Math.floor(now), delayHours });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw sessionErrors.make('address_invalid', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  requireForm(wanted);
  const same = entries.find(({ name }) => name === wanted.name) ?? entries.find((entry) => isSame(entry, wanted));
  if (same !== undefined) {
    throw sessionErrors.make('address_invalid', `${same.name} is in the book already, for ${same.address}`, {
      name: same.name,
    });
  }
  const crossed = entries.find((entry) => isCrossed(entry, wanted));
  if (crossed !== undefined) {
    throw sessionErrors.make(
      'address_invalid',
      `the name of one would be the address of the other: ${wanted.name} (${wanted.address}) and ${crossed.name} (${crossed.address})`,
      { name: crossed.name },
    );
  }
  if (entries.length >= ENTRIES_MAX) {
    throw sessionErrors.make('address_invalid', `the book holds ${ENTRIES_MAX} addresses already`);
  }
  return [...entries, parsed.data];
}

/** A withdrawal to that word could go to either. */
function isCrossed(entry: BookEntry, { name, currency, network, address }: NewEntry): boolean {
  const isRival = entry.currency === currency && entry.network === network;
  return isRival && (entry.name === address || entry.address === name);
}

function isSame(entry: BookEntry, { currency, network, address, memo }: NewEntry): boolean {
  return entry.currency === currency && entry.network === network && entry.address === address && entry.memo === memo;
}

/** Unix ms. */
export function usableFrom({ addedAt, delayHours }: BookEntry, configuredHours: number): number {
  return addedAt + Math.max(delayHours, configuredHours) * HOUR_MS;
}

export interface Destination {
  /** Name of an entry, or its whole address. */
  readonly to: string;
  readonly currency: string;
  readonly network: string;
}

/** Throws `address_not_in_book`, `address_ambiguous`, `address_invalid`, `address_too_new`. */
export function destinationFor(
  entries: readonly BookEntry[],
  { to, currency, network }: Destination,
  now: number,
  configuredHours: number,
): BookEntry {
  const named = entries.filter(({ name, address }) => name === to || address === to);
  const [entry, ...others] = named.filter((each) => each.currency === currency && each.network === network);
  if (entry === undefined) {
    const known = named.map((each) => `${each.currency} on ${each.network}`).join(', ');
    const why = known === '' ? 'is not in the address book' : `is in the address book for ${known} only`;
    throw sessionErrors.make('address_not_in_book', `${to} ${why}; asked for ${currency} on ${network}`, { to });
  }
  if (others.length > 0) {
    const names = [entry, ...others].map(({ name }) => name);
    const why = `${to} means several entries for ${currency} on ${network}: ${names.join(', ')}`;
    throw sessionErrors.make('address_ambiguous', why, { to, names });
  }
  requireForm(entry);
  const from = usableFrom(entry, configuredHours);
  if (now >= from) return entry;
  const left = Math.ceil((from - now) / 60_000);
  throw sessionErrors.make(
    'address_too_new',
    `${entry.name} was added at ${new Date(entry.addedAt).toISOString()} and may be used from ${new Date(from).toISOString()}, in ${left} minutes`,
    { name: entry.name, usableFrom: from },
  );
}
