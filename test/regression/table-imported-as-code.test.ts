/**
 * A table of what comes next, imported as code, was no file that the strategy reads, so the look-ahead proof was green: the
 * data are cut, the module is not.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadStrategy } from '../../src/strategy/loading/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidewire-table-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  [1000, ['next-1000.ts']],
  [900, []],
])('a module with %d pairs of numbers is a file that the strategy reads: %j', async (pairs, read) => {
  const table = Array.from({ length: pairs }, (_, hour) => `"${1_640_995_200_000 + hour * 3_600_000}": ${hour % 2}`);
  writeFileSync(
    join(folder, `next-${pairs}.ts`),
    `export const next: Record<string, number> = { ${table.join(', ')} };`,
  );
  const file = join(folder, `knows-${pairs}.ts`);
  writeFileSync(
    file,
    `import { defineStrategy, z } from 'tidewire';
     import { next } from './next-${pairs}.ts';
     export default defineStrategy({ name: 'knows', params: z.object({}), setup: () => void next });`,
  );
  const { inputs } = await loadStrategy(file);
  expect(inputs.filesRead).toEqual(read);
});
