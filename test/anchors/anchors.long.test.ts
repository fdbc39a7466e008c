/** Traces that code which only moves must not change. What a case needs and is absent is skipped, saying so. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorCases, isHere, type Hashes } from './cases.ts';

const golden = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8')) as Record<string, Hashes>;

describe('anchors', () => {
  it('pins every case', () => {
    expect(Object.keys(golden)).toEqual(anchorCases.map(({ name }) => name));
  });

  for (const anchor of anchorCases) {
    const { name } = anchor;
    it.skipIf(!isHere(anchor))(
      `${name}${isHere(anchor) ? '' : ` (skipped: ${anchor.needs} is absent)`}`,
      async () => {
        expect(await anchor.run()).toEqual(golden[name]);
      },
      240_000,
    );
  }
});
