/** The contract names the builders of programs twice, by themselves and as `programs.*`, which was missing. */
import { expect, test } from 'vitest';
import * as tidewire from 'tidewire';
import { programKinds } from '../../src/model/trading/program.ts';

test('each builder is exported by its name and as one of programs', () => {
  expect(Object.keys(tidewire.programs).toSorted()).toEqual([...programKinds].toSorted());
  for (const kind of programKinds) expect(tidewire.programs[kind]).toBe(tidewire[kind]);
});
