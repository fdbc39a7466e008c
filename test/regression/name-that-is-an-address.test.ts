/** A withdrawal to a word that was the name of one entry and the address of another went to the first of them. */
import { describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { addEntry, destinationFor, openBook, sealBook, type NewEntry } from '../../src/session/address-book/book.ts';

const NOW = 1_700_000_000_000;
const key = createCredentials('ab'.repeat(32), 'c0ffee'.padEnd(64, '0'));
const rail = { currency: 'USDT', network: 'SOL', memo: null };
const cold: NewEntry = { ...rail, name: 'cold', address: 'TXYZ12345' };
const book = addEntry([], cold, NOW, 0);

function error(code: string, exit: number) {
  return expect.objectContaining({ code, exit });
}

/** As an older version sealed it, without today's checks. */
function olderBook(...wanted: readonly NewEntry[]) {
  const entries = wanted.map((entry) => ({ ...entry, addedAt: NOW, delayHours: 0 }));
  return openBook(sealBook(entries, key), key, 'book.json');
}

describe('address-book/add/name-and-address', () => {
  it.each([
    ['a name that is the address of another', { ...rail, name: 'TXYZ12345', address: 'TEVIL2345' }],
    ['an address that is the name of another', { ...rail, name: 'warm', address: 'cold' }],
  ])('refuses %s', (_, wanted) => {
    expect(() => addEntry(book, wanted, NOW, 0)).toThrow(error('address_invalid', 2));
  });

  it('takes both for another currency or network, and an entry named by its own address', () => {
    const other = { ...rail, name: 'TXYZ12345', address: 'TEVIL2345' };
    expect(addEntry(book, { ...other, network: 'TON' }, NOW, 0)).toHaveLength(2);
    expect(addEntry(book, { ...other, currency: 'BTC' }, NOW, 0)).toHaveLength(2);
    const own = addEntry(book, { ...rail, name: 'TOWN12345', address: 'TOWN12345' }, NOW, 0);
    expect(destinationFor(own, { ...rail, to: 'TOWN12345' }, NOW, 0).name).toBe('TOWN12345');
  });
});

describe('address-book/withdraw/ambiguous-word', () => {
  const rival = { ...rail, name: 'TXYZ12345', address: 'TEVIL2345' };

  it.each([
    ['name of one and address of another', [cold, rival]],
    ['the same in the other order', [rival, cold]],
    ['address of two with different memos', [cold, { ...cold, name: 'memo', memo: '7' }]],
  ])('refuses it: %s', (_, wanted) => {
    const entries = olderBook(...wanted);
    const to = (word: string) => destinationFor(entries, { ...rail, to: word }, NOW, 0);
    expect(() => to('TXYZ12345')).toThrow(error('address_ambiguous', 3));
    expect(to('cold')).toMatchObject(cold);
  });

  it('goes by the address where the name is in doubt', () => {
    expect(destinationFor(olderBook(cold, rival), { ...rail, to: 'TEVIL2345' }, NOW, 0).name).toBe('TXYZ12345');
  });

  it('is not in doubt where the other entry is for another network', () => {
    const entries = olderBook(cold, { ...rival, network: 'TON' });
    expect(destinationFor(entries, { ...rail, to: 'TXYZ12345' }, NOW, 0).name).toBe('cold');
  });
});
