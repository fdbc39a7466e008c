/** The type check of an unchanged strategy is remembered for the life of the process, and never past an edit. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { typecheckStrategy } from '../../src/strategy/loading/typecheck.ts';

const dir = mkdtempSync(join(tmpdir(), 'tidewire-typecheck-test-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('an unchanged file is checked once, an edited one again, also when the edit is in a file that it imports', async () => {
  const file = join(dir, 'main.ts');
  const part = join(dir, 'part.ts');
  writeFileSync(file, `import { n } from './part.ts';\nexport const text: string = String(n);\n`);
  writeFileSync(part, 'export const n: number = 1;\n');
  const first = await typecheckStrategy(file);
  expect(first).toMatchObject({ kind: 'checked', problems: [] });
  expect(await typecheckStrategy(file)).toBe(first);
  writeFileSync(part, `export const n: number = 'one';\n`);
  const edited = await typecheckStrategy(file);
  expect(edited).toMatchObject({ kind: 'checked', problems: [{ file: part, line: 1 }] });
});
