/** docs/config.md as its reader uses it: what stands there is a configuration, and the defaults are the defaults. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../../src/session/config/schema.ts';
import { freshFolder, root, run } from '../e2e/cli.ts';

const page = readFileSync(join(root, 'docs', 'config.md'), 'utf8');
const [two = '', all = ''] = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text]) => text);

it('docs/config/every-key-stands-there-with-its-default', () => {
  expect(configSchema.parse(parse(all))).toEqual(configSchema.parse({}));
  for (const key of ['maxDailyLoss', 'participation', 'durability', 'budget']) expect(all).toContain(`${key}:`);
});

it('docs/config/two-strategies-in-one-file-run', async () => {
  const cwd = freshFolder();
  const here = two.replaceAll('file: strategies/', `file: ${join(root, 'strategies')}/`);
  writeFileSync(join(cwd, 'my.yaml'), here);
  const checked = await run(['config', 'check', '--config', 'my.yaml'], { cwd });
  expect([checked.code, checked.stderr]).toEqual([0, '']);
  const paper = await run(['paper', '--config', 'my.yaml', '--for', '3s', '--json'], { cwd });
  expect(paper.code, paper.stderr).toBe(0);
  expect(paper.stdout).toMatch(/"strategy":"[^"]*maker[^"]*cross/);
});
