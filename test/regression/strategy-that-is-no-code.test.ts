/**
 * Found by strangers: `backtest README.md` ended with 1 (`strategy_threw`), as if a strategy had failed. A file that is no
 * code is wrong usage, 2, for `backtest`, `paper` and `run`; so is a strategy that imports such a file as code.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadStrategy } from '../../src/strategy/loading/load.ts';
import { errorOf, freshFolder, run } from '../e2e/cli.ts';

const KEYS = { TIDEWIRE_API_KEY: 'ab'.repeat(32), TIDEWIRE_API_SECRET: 'cd'.repeat(32) };
const ADDRESSES = 'baseUrl: http://127.0.0.1:9, gatewayUrl: http://127.0.0.1:9, wsUrl: ws://127.0.0.1:9';

it.each([
  ['backtest', ['backtest', 'NOTES.md', '--data', 'nothing']],
  ['paper', ['paper', 'NOTES.md', '--for', '1s']],
  ['run', ['run', 'NOTES.md', '--live', '--confirm', 'alice', '--config', 'c.yaml']],
])('strategy/no-code/%s-ends-with-2', async (_, args) => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'NOTES.md'), '# Notes\n');
  writeFileSync(join(cwd, 'c.yaml'), `exchange: { ${ADDRESSES} }\n`);
  const ended = await run([...args, '--json'], { cwd, env: KEYS });
  expect(ended.code, ended.stderr).toBe(2);
  expect(errorOf(ended)).toMatchObject({
    code: 'strategy_not_code',
    message: 'NOTES.md is no strategy: it ends with .md, not with .ts',
  });
});

it.each(['notes.md', 'levels.json'])('strategy/no-code/import-of-%s-names-the-line', async (name) => {
  const cwd = freshFolder();
  const file = join(cwd, 'imports.ts');
  writeFileSync(join(cwd, name), '{}\n');
  writeFileSync(file, `import value from './${name}';\nexport default value;\n`);
  await expect(loadStrategy(file)).rejects.toMatchObject({
    code: 'strategy_import_failed',
    exit: 2,
    details: { line: 1 },
  });
});
