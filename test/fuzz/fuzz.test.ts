/** A slice of `npm run fuzz`: as many inputs as fit, with a seed of its own and laws that have all been reached. */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/model/random.ts';
import { readServerMessage } from '../../src/exchange/wire/socket-messages.ts';
import { fuzz } from './fuzz.ts';
import { mutateText } from './mutate.ts';

const COUNT = 12_000;
const SEED = 11;
const HEAP_GROWTH_KIB_MAX = 16 * 1024;

/** What inputs must turn out to be now and then, or the laws about it were never tried. */
const REACHED = [
  'wire frame unreadable',
  'wire push failure',
  'wire push fills',
  'wire push balances',
  'wire push orders',
  'wire push events',
  'wire page value',
  'wire page failure',
  'wire body refused',
  'book failure with a book',
  'book events with a book',
  'account failure without effect',
  'account fills with effect',
  'account balances with effect',
  'readings reading complete',
  'readings reading partial',
  'readings create accepted',
  'readings create unknown',
  'wire p2p trade',
  'wire p2p advertisement',
  'wire p2p unreadable',
  'answers login value',
  'answers positions complete',
  'answers transfer unknown',
  'answers transfer refused',
  'files config read',
  'files session session_unreadable',
  'files address book address_book_damaged',
];

describe('mutated frames and bodies', () => {
  it('break no reader, take nothing away that nobody took, and leave no memory behind', async () => {
    const report = await fuzz(SEED, COUNT);
    expect(report.findings).toEqual([]);
    expect(REACHED.filter((kind) => !report.kinds.has(kind))).toEqual([]);
    expect(report.heapGrowthKib).toBeLessThan(HEAP_GROWTH_KIB_MAX);
  });

  it('are the same for the same seed', () => {
    const draw = (): string[] => {
      const random = seededRandom(7);
      return Array.from({ length: 50 }, () => mutateText('{"channel":"BTCUSDT@depth","seq":4,"data":[1,"2"]}', random));
    };
    expect(draw()).toEqual(draw());
    expect(new Set(draw()).size).toBeGreaterThan(25);
  });

  it('found: a pong of five thousand brackets is a pong', () => {
    const deep = '['.repeat(5000) + ']'.repeat(5000);
    expect(readServerMessage(`{"pong":${deep}}`).kind).toBe('pong');
  });
});
