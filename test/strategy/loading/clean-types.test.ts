/** What was found clean is not checked again, and nothing else is taken for clean. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { CleanTypes } from '../../../src/strategy/loading/clean-types.ts';
import { typecheckStrategy } from '../../../src/strategy/loading/typecheck.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-clean-'));
  dirs.push(dir);
  return dir;
}

function strategy(more = ''): string {
  const file = join(folder(), 'mine.ts');
  writeFileSync(
    file,
    `import { defineStrategy } from 'tidewire';\nimport { EMPTY } from 'rxjs';\n${more}\nexport default defineStrategy({ name: 'mine', setup: () => EMPTY });\n`,
  );
  return file;
}

it('is remembered by code and by what it was checked with', () => {
  const dir = join(folder(), 'types');
  const file = strategy();
  const clean = new CleanTypes(dir, 'a build');
  const key = clean.key('code', [file])!;
  expect(clean.has(key)).toBe(false);
  clean.add(key);
  expect(clean.has(key)).toBe(true);
  expect(new CleanTypes(dir, 'a build').key('code', [file])).toBe(key);
  expect(new CleanTypes(dir, 'another').key('code', [file])).not.toBe(key);
  expect(clean.key('other code', [file])).not.toBe(key);
  expect(readdirSync(dir)).toEqual([key]);
});

it.each(["import x from 'lodash';", 'const x = await import("@scope/name");', "import 'side-effect';"])(
  'is never remembered where %s could change under it',
  (line) => {
    const clean = new CleanTypes(folder(), 'a build');
    expect(clean.key('code', [strategy(line)])).toBeUndefined();
    expect(clean.key('code', [strategy("import { readFileSync } from 'node:fs';")])).toBeDefined();
  },
);

it('a type error after a clean start is found', async () => {
  const build = `test ${process.pid} ${Date.now()}`;
  const file = strategy();
  expect(await typecheckStrategy(file, () => build)).toEqual({ kind: 'checked', problems: [] });
  writeFileSync(file, `${strategy.toString().length};\nconst wrong: number = 'text';\nexport default wrong;\n`);
  for (let time = 0; time < 2; time++)
    expect(await typecheckStrategy(file, () => build)).toMatchObject({ kind: 'checked', problems: [{ line: 2 }] });
});
