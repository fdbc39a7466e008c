/** A result in pieces is byte for byte the document in one, and no piece holds a whole list. */
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPieces, writeText } from '../../../src/session/result/json-pieces.ts';
import { sampleResult } from '../../research/report/sample-result.ts';

const whole = (document: object): string => `${JSON.stringify(document)}\n`;

test('the pieces are the document', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constant(undefined),
    fc.array(fc.oneof(fc.jsonValue(), fc.constant(undefined))),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), value), (document) => {
      expect([...jsonPieces(document)].join('')).toBe(whole(document));
    }),
  );
  for (const length of [0, 1, 1023, 1024, 1025, 5000]) {
    const document = { a: 1, list: Array.from({ length }, (_, index) => [index, `${index}`]), last: null };
    expect([...jsonPieces(document)].join('')).toBe(whole(document));
  }
});

test('a result of a long run comes in pieces of a thousand rows', () => {
  const { equity, ...rest } = sampleResult();
  const document = { ...rest, equity: Array.from({ length: 300_000 }, (_, index) => [index, equity[0]![1]]) };
  const pieces = [...jsonPieces(document)];
  expect(pieces.join('')).toBe(whole(document));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(64_000);
});

test('all of it reaches the file, letters of several bytes too', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tidewire-pieces-')), 'result.json');
  const handle = openSync(path, 'wx');
  const document = { notes: Array.from({ length: 3000 }, (_, index) => ({ text: `Größe ${index} €` })) };
  writeText(handle, jsonPieces(document));
  writeText(handle, 'end');
  closeSync(handle);
  expect(readFileSync(path, 'utf8')).toBe(`${whole(document)}end`);
});
