/**
 * The slice of `npm run simulate:mutants` that fits in every run: each mutant still applies, and a few that are caught
 * soon are caught.
 */
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import { huntMutant, huntNothing } from './hunt-mutant.ts';
import { editsOf } from './mutant.ts';
import { patched, sourceOf } from './patch-source.ts';
import { mutants } from './table/all.ts';
import { knownSeeds } from './table/known-seeds.ts';

/** Caught within minutes of virtual time. */
const SOON = ['row-not-durable', 'client-retries-create', 'html-is-refusal', 'null-list-is-empty'] as const;
const SLICE = { hours: 0.1, wallMsMax: 110_000 } as const;
/** On a machine that is busy otherwise. */
const PATIENCE_MS = 120_000;

describe('mutants', () => {
  it('are at least 60, each with a name of its own', () => {
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
    expect(mutants.length).toBeGreaterThanOrEqual(60);
  });

  it.each(mutants.map((mutant) => [mutant.id, mutant] as const))('%s applies to the code as it is', (_id, mutant) => {
    for (const edit of [...editsOf(mutant), ...(mutant.knobs ?? [])]) {
      const code = patched(sourceOf(edit.file), edit);
      expect(code).not.toBe(sourceOf(edit.file));
      // Code that does not parse ends the whole hunt.
      stripTypeScriptTypes(code);
    }
  });

  it('a text that occurs twice or not at all is refused', () => {
    const edit = { file: 'x.ts', find: 'a', replace: 'b' };
    expect(() => patched('aa', edit)).toThrow('2 times');
    expect(() => patched('', edit)).toThrow('0 times');
  });

  it.each(SOON)(
    '%s is caught',
    async (id) => {
      const { caught } = await huntMutant({ id, seeds: [...(knownSeeds[id] ?? []), '1-4'].join(',') }, SLICE);
      expect(caught).not.toBeNull();
    },
    PATIENCE_MS,
  );

  it(
    'the code without a mutant violates nothing in the same world',
    async () => {
      const hunts = await huntNothing(
        SOON.map((id) => ({ id, seeds: '1' })),
        SLICE,
      );
      expect(hunts.map(({ caught }) => caught)).toEqual(SOON.map(() => null));
    },
    PATIENCE_MS,
  );
});
