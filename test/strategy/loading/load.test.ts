import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TidewireError } from '../../../src/model/errors.ts';
import { strategyHash } from '../../../src/strategy/loading/hash.ts';
import { loadStrategy } from '../../../src/strategy/loading/load.ts';
import { localFiles } from '../../../src/strategy/loading/local-imports.ts';
import { resolveParams } from '../../../src/strategy/loading/params.ts';
import { strategyTemplate } from '../../../src/strategy/loading/template.ts';
import { compilerPath, parseProblems, typecheckStrategy } from '../../../src/strategy/loading/typecheck.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tidewire-load-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, lines.join('\n'));
  return path;
}

async function failure(path: string): Promise<TidewireError> {
  const error: unknown = await loadStrategy(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeDefined();
  return error as TidewireError;
}

const HEAD = "import { defineStrategy, z } from 'tidewire';";

describe('a strategy outside of the package', () => {
  test('loads, with tidewire and rxjs being ours', async () => {
    const path = await file('outside.ts', [
      HEAD,
      "import { of } from 'rxjs';",
      "import { suffix } from './lib/suffix.ts';",
      'interface Ignored { readonly a: number }',
      'const name: string = `outside${suffix}`;',
      'export default defineStrategy({ name, params: z.object({ symbol: z.string().default("BTCUSDT") }), setup: () => of([]) });',
    ]);
    const lib = await file('lib/suffix.ts', ["export const suffix: string = '-one';"]);
    const { definition, files, hash } = await loadStrategy(path);
    expect(definition.name).toBe('outside-one');
    expect(definition.location).toMatchObject({ file: path, line: 6 });
    expect(resolveParams(definition)).toEqual({ symbol: 'BTCUSDT' });
    expect([...files]).toEqual([path, lib]);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('an edit is seen by the next load, also in a file that it imports', async () => {
    const path = await file('edited.ts', [
      HEAD,
      "import { name } from './edited-name.ts';",
      'export default defineStrategy({ name, setup: () => {} });',
    ]);
    await file('edited-name.ts', ["export const name = 'before';"]);
    const before = await loadStrategy(path);
    await file('edited-name.ts', ["export const name = 'after';"]);
    const after = await loadStrategy(path);
    expect([before.definition.name, after.definition.name]).toEqual(['before', 'after']);
    expect(before.hash).not.toBe(after.hash);
  });
});

describe('what cannot be loaded says where and why', () => {
  test('a file that is not there names the nearest', async () => {
    const error = await failure('strategies/spread-makr.ts');
    expect(error).toMatchObject({ code: 'strategy_not_found', exit: 2 });
    expect(error.message).toContain('did you mean strategies/spread-maker.ts');
  });

  test('a syntax error names file, line, column and the line', async () => {
    const error = await failure(await file('syntax.ts', [HEAD, 'const a = {;', 'export default a;']));
    expect(error.code).toBe('strategy_unreadable');
    expect(error.details).toMatchObject({ line: 2, column: 12, text: 'const a = {;' });
    expect(error.message).toContain('syntax.ts:2:12');
    expect(error.message).toContain('const a = {;');
  });

  test('syntax that cannot be stripped', async () => {
    const error = await failure(await file('enum.ts', [HEAD, '', 'enum Side { Buy }', 'export default Side;']));
    expect(error).toMatchObject({ code: 'strategy_unreadable', exit: 2 });
    expect(error.details).toMatchObject({ line: 3 });
    expect(error.message).toContain('enum');
  });

  test('a syntax error in a file that it imports names that file', async () => {
    const path = await file('importer.ts', [HEAD, "import { x } from './broken.ts';", 'export default x;']);
    const broken = await file('broken.ts', ['export const x = 1;', 'const const = 2;']);
    const error = await failure(path);
    expect(error.code).toBe('strategy_unreadable');
    expect(error.details).toMatchObject({ file: broken, line: 2 });
  });

  test('an import that is not there, a package that is not there, an export that is not there', async () => {
    const missing = await failure(
      await file('missing.ts', [HEAD, "import { x } from './nowhere.ts';", 'export default x;']),
    );
    expect(missing).toMatchObject({ code: 'strategy_import_failed', details: { line: 2 } });
    const extension = await failure(
      await file('extension.ts', [HEAD, "import { x } from './lib/suffix';", 'export default x;']),
    );
    expect(extension.message).toContain('write the extension .ts');
    const bare = await failure(await file('bare.ts', [HEAD, "import x from 'no-such-package';", 'export default x;']));
    expect(bare).toMatchObject({ code: 'strategy_import_failed', details: { line: 2 } });
    const named = await failure(
      await file('named.ts', ["import { defineStratgy } from 'tidewire';", 'export default defineStratgy;']),
    );
    expect(named.message).toContain("does not provide an export named 'defineStratgy'");
    expect(named.details).toMatchObject({ line: 1 });
  });

  test('no default export, and one that is no strategy', async () => {
    const none = await failure(
      await file('none.ts', [HEAD, "export const strategy = defineStrategy({ name: 'x', setup: () => {} });"]),
    );
    expect(none.code).toBe('strategy_no_default_export');
    expect(none.message).toContain('only strategy');
    const other = await failure(await file('other.ts', [HEAD, "export default { name: 'x', setup() {} };"]));
    expect(other.code).toBe('strategy_wrong_export');
    expect(other.message).toContain('an object with name, setup');
    const callable = await failure(await file('callable.ts', [HEAD, 'export default () => defineStrategy;']));
    expect(callable.message).toContain('a function');
  });

  test('nothing exported in the manner of CommonJS, whatever Node takes the file for', async () => {
    const empty = await failure(await file('empty.ts', ['const x = 1;', 'void x;']));
    expect([empty.code, empty.message.includes('no export at all')]).toEqual(['strategy_no_default_export', true]);
    await file('module/package.json', ['{ "type": "module" }']);
    const assigned = await failure(await file('module/assigned.ts', ['', "module.exports = { name: 'x' };"]));
    expect(assigned).toMatchObject({ code: 'strategy_no_default_export', details: { line: 2 } });
    expect(assigned.message).toContain('a strategy file is an ES module');
    const required = await failure(await file('module/required.ts', ["const { z } = require('tidewire');"]));
    expect(required).toMatchObject({ code: 'strategy_import_failed', details: { line: 1 } });
  });

  test('a throw at import names its line', async () => {
    const error = await failure(await file('throws.ts', [HEAD, '', "throw new Error('at import');"]));
    expect(error.code).toBe('strategy_threw');
    expect(error.details).toMatchObject({ line: 3 });
    expect(error.message).toContain("throw new Error('at import');");
  });

  test('a definition that is not complete', async () => {
    const error = await failure(await file('half.ts', [HEAD, "export default defineStrategy({ name: 'half' });"]));
    expect(error.code).toBe('strategy_definition');
    expect(error.message).toContain('setup must be a function');
    expect(error.message).toContain('half.ts:2');
  });
});

describe('the code hash', () => {
  test('does not depend on the folder, but on every own file', async () => {
    const here = await file('hash/a/one.ts', ["export * from './two.ts';"]);
    await file('hash/a/two.ts', ['export const x = 1;']);
    const there = await file('hash/b/one.ts', ["export * from './two.ts';"]);
    await file('hash/b/two.ts', ['export const x = 1;']);
    expect(strategyHash(here)).toBe(strategyHash(there));
    await file('hash/b/two.ts', ['export const x = 2;']);
    expect(strategyHash(here)).not.toBe(strategyHash(there));
  });

  test('files are found through cycles, re-exports and import()', async () => {
    const root = await file('graph/root.ts', [
      "export { a } from './a.ts';",
      "const late = () => import('./b.ts');",
      'export default late;',
    ]);
    const a = await file('graph/a.ts', ["import './root.ts';", 'export const a = 1;']);
    const b = await file('graph/b.ts', ["import fs from 'node:fs';", 'export default fs;']);
    expect(localFiles(root)).toEqual([root, a, b]);
  });
});

describe('the type check', () => {
  test('names file, line, column and message, for a file outside of the package', async () => {
    const path = await file('types.ts', [
      HEAD,
      'export default defineStrategy({',
      "  name: 'types',",
      '  params: z.object({ levels: z.number() }),',
      '  setup({ params }) {',
      '    const text: string = params.levels;',
      '    void text;',
      '  },',
      '});',
    ]);
    const result = await typecheckStrategy(path);
    expect(result).toEqual({
      kind: 'checked',
      problems: [
        { file: path, line: 6, column: 11, message: "TS2322: Type 'number' is not assignable to type 'string'." },
      ],
    });
  });

  test('both templates are free of problems and load', async () => {
    for (const kind of ['stream', 'candle'] as const) {
      const path = await file(`template-${kind}.ts`, [strategyTemplate(`my-${kind}`, kind)]);
      expect(await typecheckStrategy(path)).toEqual({ kind: 'checked', problems: [] });
      expect((await loadStrategy(path)).definition.name).toBe(`my-${kind}`);
    }
  });

  test('a compiler that is not installed is an answer', () => {
    expect(compilerPath(folder)).toBeUndefined();
    expect(compilerPath()).toMatch(/tsc$/);
  });

  test('messages over several lines are one', () => {
    const output =
      'x.ts(1,2): error TS1: first\n  because of that\n    and that\ny.ts(3,4): error TS2: second\nFound 2 errors.\n';
    expect(parseProblems(output, '/w')).toEqual([
      { file: '/w/x.ts', line: 1, column: 2, message: 'TS1: first because of that and that' },
      { file: '/w/y.ts', line: 3, column: 4, message: 'TS2: second' },
    ]);
  });
});
