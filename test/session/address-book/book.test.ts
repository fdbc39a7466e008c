/** The address book: what may be sent where and when, and that nobody without the secret can change it. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { addEntry, destinationFor, openBook, sealBook, usableFrom } from '../../../src/session/address-book/book.ts';
import { readBook, readUnprovedBook, writeBook } from '../../../src/session/address-book/store.ts';

const HOUR_MS = 3_600_000;
const NOW = 1_700_000_000_000;
const key = createCredentials('ab'.repeat(32), 'c0ffee'.padEnd(64, '0'));
const sameNameOtherSecret = createCredentials('ab'.repeat(32), 'beef'.padEnd(64, '0'));
const otherKey = createCredentials('cd'.repeat(32), 'beef'.padEnd(64, '0'));

const cold = { name: 'cold', currency: 'USDT', network: 'SOL', address: 'TXYZ12345', memo: null };
const entries = addEntry([], cold, NOW, 24);
const sealed = sealBook(entries, key);

function error(code: string) {
  return expect.objectContaining({ code });
}

describe('an address', () => {
  const to = { to: 'cold', currency: 'USDT', network: 'SOL' };

  it('may be used when its delay is over, and not a millisecond before', () => {
    expect(() => destinationFor(entries, to, NOW + 24 * HOUR_MS - 1, 24)).toThrow(error('address_too_new'));
    expect(destinationFor(entries, to, NOW + 24 * HOUR_MS, 24).address).toBe('TXYZ12345');
    expect(destinationFor(entries, { ...to, to: 'TXYZ12345' }, NOW + 24 * HOUR_MS, 24).name).toBe('cold');
  });

  it('waits for the longer of the delay that it was added with and the one configured now', () => {
    expect(usableFrom(entries[0]!, 0)).toBe(NOW + 24 * HOUR_MS);
    expect(usableFrom(entries[0]!, 48)).toBe(NOW + 48 * HOUR_MS);
  });

  it('is good for its own currency and network alone', () => {
    const late = NOW + 100 * HOUR_MS;
    for (const wrong of [{ currency: 'BTC' }, { network: 'TON' }, { to: 'warm' }, { to: 'TXYZ1234' }]) {
      expect(() => destinationFor(entries, { ...to, ...wrong }, late, 24)).toThrow(error('address_not_in_book'));
    }
  });

  it.each([
    ['a blank in the address', { address: 'TX YZ' }],
    ['a character that is not ASCII', { address: 'ТXYZ12345' }],
    ['no address', { address: '' }],
    ['a name with a slash', { name: 'a/b' }],
    ['an empty memo', { memo: '' }],
    ['a name that is there', { address: 'TOTHER' }],
    ['a destination that is there', { name: 'warm' }],
  ])('is refused with %s', (_, change) => {
    expect(() => addEntry(entries, { ...cold, ...change }, NOW, 24)).toThrow(error('address_invalid'));
  });

  it('is the same text for another network another entry', () => {
    expect(addEntry(entries, { ...cold, name: 'cold-eth', network: 'TON' }, NOW, 24)).toHaveLength(2);
  });
});

describe('the seal of the book', () => {
  it('is good for the key that made it', () => {
    expect(openBook(sealed, key, 'book.json')).toEqual(entries);
    expect(() => openBook(sealed, otherKey, 'book.json')).toThrow(error('address_book_other_key'));
    expect(() => openBook(sealed, sameNameOtherSecret, 'book.json')).toThrow(error('address_book_damaged'));
  });

  it.each([
    ['another address', 'TXYZ12345', 'TEVIL2345'],
    ['an older entry', String(NOW), String(NOW - 48 * HOUR_MS)],
    ['a shorter delay', '"delayHours": 24', '"delayHours": 0'],
    ['another network', 'SOL', 'TON'],
    ['another seal', '"seal": "', '"seal": "AAAA'],
  ])('sees %s', (_, from, to) => {
    expect(sealed).toContain(from);
    expect(() => openBook(sealed.replace(from, to), key, 'book.json')).toThrow(error('address_book_damaged'));
  });

  it('sees an entry that was taken out', () => {
    const two = sealBook(addEntry(entries, { ...cold, name: 'warm', address: 'TWARM' }, NOW, 24), key);
    const file = JSON.parse(two) as { entries: unknown[] };
    file.entries.pop();
    expect(() => openBook(JSON.stringify(file), key, 'book.json')).toThrow(error('address_book_damaged'));
  });
});

describe('the book on disk', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidewire-book-'));
    path = join(folder, 'data', 'address-book.json');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is empty when it is not there, and an error when it cannot be read', () => {
    expect(readBook(path, key)).toEqual([]);
    writeBook(path, entries, key);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readBook(path, key)).toEqual(entries);
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 50));
    expect(() => readBook(path, key)).toThrow(error('address_book_damaged'));
  });

  it('can be looked at unproved with another key', () => {
    writeBook(path, entries, key);
    expect(() => readBook(path, otherKey)).toThrow(error('address_book_other_key'));
    expect(readUnprovedBook(path)).toEqual(entries);
  });
});
