/**
 * docs/reliability.md against the catalogue and the tests: every id of the catalogue has a row with a class of the fault
 * model, and every test that a row names, with its whole title, exists. The catalogue is not part of the project; where it is absent, its ids are not compared.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const catalogue = join(root, '..', 'shared', 'spec', 'reliability.md');
const ROW = /^\| ([A-Z]\d\d) \|/;
const COLUMNS = 5;
/** Of docs/fault-model.md; `-` is no fault of the environment, but a rule of tidewire. */
const CLASSES = ['A', 'B', 'C', '-'];
const QUOTES = ["'", '"', '`'];

const rows = readFileSync(join(root, 'docs', 'reliability.md'), 'utf8')
  .split('\n')
  .filter((line) => ROW.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

function words(text: string): number {
  return text.split(' ').length;
}

describe('docs/reliability.md', () => {
  it('has one row for each entry of its own', () => {
    const ids = rows.map(([id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(159);
    for (const row of rows) expect(row, row[0]).toHaveLength(COLUMNS);
  });

  it.skipIf(!existsSync(catalogue))(
    'has a row for every id of the catalogue (skipped where it is not beside the project)',
    () => {
      const ids = [...readFileSync(catalogue, 'utf8').matchAll(/^\*\*([A-Z]\d\d) /gm)].map((match) => match[1]);
      expect(ids.length).toBeGreaterThan(100);
      expect(rows.map(([id]) => id)).toEqual(expect.arrayContaining(ids));
    },
  );

  it('gives each entry a class of the fault model, in few words', () => {
    for (const [id = '', what = '', itsClass = '', here = ''] of rows) {
      expect(CLASSES, id).toContain(itsClass);
      expect(words(what), `${id}: ${what}`).toBeLessThanOrEqual(12);
      expect(words(here), `${id}: ${here}`).toBeLessThanOrEqual(20);
    }
  });

  it('names one or two tests of each entry, which their files contain', () => {
    const texts = new Map<string, string>();
    for (const [id = '', , , , shown = ''] of rows) {
      const tests = shown.split('<br>');
      expect([1, 2], id).toContain(tests.length);
      for (const test of tests) {
        const [, path = '', name = ''] = /^`(test\/[^`]+\.test\.ts)`: (.+)$/.exec(test) ?? [];
        expect(path, `${id}: ${test}`).not.toBe('');
        const text = texts.get(path) ?? readFileSync(join(root, path), 'utf8');
        texts.set(path, text);
        const titled = QUOTES.some((quote) => text.includes(`${quote}${name}${quote}`));
        expect(titled, `${id}: ${path} has no test "${name}"`).toBe(true);
      }
    }
  });
});
