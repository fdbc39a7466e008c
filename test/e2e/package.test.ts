/**
 * The package as a user installs it: packed, installed from the tarball into an empty folder, where `new`, its test, a
 * backtest and a paper session run. Node strips no types below node_modules, so this is the compiled code.
 */
import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, root } from './cli.ts';

/** As a user's shell has it: nothing of this test runner. */
function environment(cwd: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(TIDEWIRE_|VITEST|NODE_OPTIONS|npm_)/.test(name));
  return { ...Object.fromEntries(own), XDG_STATE_HOME: join(cwd, 'state') };
}

function ran(cwd: string, command: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  const ended = spawnSync(command, args, { cwd, env: environment(cwd), encoding: 'utf8' });
  expect(ended.status, `${command} ${args.join(' ')}\n${ended.stdout}${ended.stderr}`).toBe(0);
  return ended;
}

/** What git tracks, elsewhere: packing changes package.json for a moment. */
function cloned(): string {
  const folder = freshFolder();
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) =>
    /^(bin|config|data|docs\/[\w-]+\.md|src|strategies|web|[\w.-]+$)/.test(name),
  )) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

it('package/installed/new-test-backtest-report-and-paper', () => {
  const clone = cloned();
  const manifest = readFileSync(join(clone, 'package.json'), 'utf8');
  const [packed] = JSON.parse(ran(clone, 'npm', 'pack', '--json').stdout.replace(/^[^[]*/, '')) as {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  }[];
  expect(readFileSync(join(clone, 'package.json'), 'utf8')).toBe(manifest);
  const paths = packed?.files.map(({ path }) => path) ?? [];
  expect(paths.filter((path) => /^(src|test|node_modules)\/|compiled\.tape/.test(path))).toEqual([]);

  const user = freshFolder();
  writeFileSync(join(user, 'package.json'), '{"private": true, "type": "module"}');
  const { devDependencies } = JSON.parse(manifest) as { readonly devDependencies: Readonly<Record<string, string>> };
  const tools = [
    `vitest@${devDependencies['vitest']}`,
    `typescript@${devDependencies['@typescript/native']?.replace(/^.*@/, '')}`,
  ];
  ran(
    user,
    'npm',
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    join(clone, packed?.filename ?? ''),
    ...tools,
  );

  const made = ran(user, 'npx', 'tidewire', 'new', 'x', '--template', 'bracket', '--json');
  expect(JSON.parse(made.stdout)).toMatchObject({ template: 'bracket', typecheck: { kind: 'checked', problems: [] } });
  ran(user, 'npx', 'vitest', 'run');
  const data = 'node_modules/tidewire/data/sample-bars';
  const tested = ran(
    user,
    'npx',
    'tidewire',
    'backtest',
    'strategies/x.ts',
    '--data',
    data,
    '--report',
    'r.html',
    '--json',
  );
  expect(JSON.parse(tested.stdout)).toMatchObject({ orders: { denied: 0 }, fills: expect.any(Number) });
  expect(readFileSync(join(user, 'r.html'), 'utf8').length).toBeGreaterThan(100_000);
  const paper = ran(user, 'npx', 'tidewire', 'paper', 'strategies/x.ts', '--for', '5s', '--json');
  expect(JSON.parse(paper.stdout)).toMatchObject({ command: 'paper', strategy: 'x' });
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--allowImportingTsExtensions'];
  ran(user, 'npx', 'tsc', ...flags, 'strategies/x.test.ts');
}, 300_000);
