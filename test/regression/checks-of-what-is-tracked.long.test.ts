/**
 * Who works as the README says leaves reports at the root and drafts in strategies/; the checks of `npm test` speak of the
 * project's own files alone. And an error in one of those is still found.
 */
import { spawnSync } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, root } from '../e2e/cli.ts';

const scripts = ['typecheck', 'format:check', 'unused'] as const;

function check(cwd: string, script: string): number | null {
  return spawnSync('npm', ['run', '--silent', script], { cwd, stdio: 'ignore' }).status;
}

it('checks/drafts-and-reports-of-a-user-are-left-alone', { timeout: 240_000 }, () => {
  const cwd = join(freshFolder(), 'clone');
  expect(spawnSync('git', ['clone', '--quiet', root, cwd]).status).toBe(0);
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  writeFileSync(
    join(cwd, 'strategies', 'draft.ts'),
    "import x from 'not-installed';\nexport const   wrong: number = 'text'\n",
  );
  writeFileSync(join(cwd, 'result.json'), '{"a":1,     "b":2}');
  writeFileSync(join(cwd, 'report.html'), '<p>mine');
  expect(scripts.map((script) => [script, check(cwd, script)])).toEqual(scripts.map((script) => [script, 0]));

  writeFileSync(join(cwd, 'src', 'model', 'wrong.ts'), "export const   wrong: number = 'text'\n");
  expect(spawnSync('git', ['add', 'src/model/wrong.ts'], { cwd }).status).toBe(0);
  for (const script of ['typecheck', 'format:check']) expect([script, check(cwd, script)]).not.toEqual([script, 0]);
});
