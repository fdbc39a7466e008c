/** Nothing but this saw a program that expires while an entry of it rests, whose fill nobody would protect any more. */
import { expect, it } from 'vitest';
import { withoutEntries } from '../../src/execution/programs/program-terms.ts';
import type { Step } from '../../src/programs/rule.ts';
import type { ProgramState } from '../../src/spine/programs/programs.ts';

const program = { kind: 'bracket' } as ProgramState;
const step = { wants: [], most: {}, covers: 0 } as unknown as Step<unknown>;

it('goes on while the entry is not closed, and ends after it', () => {
  expect(withoutEntries(program, step, ['entry'])).toEqual(step);
  expect(withoutEntries(program, step, [])).toMatchObject({ end: { state: 'canceled', reason: 'expired' } });
});
