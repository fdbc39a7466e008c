/** The slice of `npm run mutants:processes` that fits in every run: each mutant still applies. */
import { expect, it } from 'vitest';
import { patched, sourceOf } from '../../simulation/mutants/patch-source.ts';
import { processMutants } from './table.ts';

it.each(processMutants.map((mutant) => [mutant.id, mutant] as const))(
  'mutants/processes/%s/applies-to-the-code-as-it-is',
  (_id, { edits }) => {
    for (const edit of edits) expect(patched(sourceOf(edit.file), edit)).not.toBe(sourceOf(edit.file));
  },
);
