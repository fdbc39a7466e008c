/**
 * The package as a user installs it: packed, unpacked from the tarball into the modules of an empty folder, where `new`, `init`, their
 * tests, backtests and paper sessions run. Node strips no types below node_modules, so this is the compiled code.
 */
import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, root } from './cli.ts';

/** As a user's shell has it: nothing of this test runner. */
function environment(cwd: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(TIDEWIRE_|VITEST|NODE_OPTIONS|npm_)/.test(name));
  return { ...Object.fromEntries(own), XDG_STATE_HOME: join(cwd, 'state') };
}

function ran(cwd: string, command: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  const ended = spawnSync(command, args, { cwd, env: environment(cwd), encoding: 'utf8', timeout: 120_000 });
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

function dependenciesOf(manifest: string): Readonly<Record<string, string>> {
  return (JSON.parse(manifest) as { readonly dependencies: Readonly<Record<string, string>> }).dependencies;
}

/** As an install leaves it, without a registry: the package itself, and beside it what it depends on and nothing else. */
function unpacked(tarball: string, user: string, dependencies: readonly string[]): void {
  const modules = join(user, 'node_modules');
  const own = join(modules, 'tidewire');
  mkdirSync(own, { recursive: true });
  mkdirSync(join(modules, '.bin'));
  ran(user, 'tar', '-xzf', tarball, '-C', own, '--strip-components=1');
  for (const name of [...dependencies, 'vitest']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  symlinkSync(join(root, 'node_modules', '@typescript', 'native'), join(modules, 'typescript'));
  symlinkSync('../tidewire/bin/tidewire.js', join(modules, '.bin', 'tidewire'));
  for (const [name, file] of [
    ['vitest', 'vitest/vitest.mjs'],
    ['tsc', 'typescript/bin/tsc'],
  ] as const)
    symlinkSync(join('..', file), join(modules, '.bin', name));
  chmodSync(join(own, 'bin', 'tidewire.js'), 0o755);
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
  unpacked(join(clone, packed?.filename ?? ''), user, Object.keys(dependenciesOf(manifest)));

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

  ran(user, 'npx', 'tidewire', 'init', 'bot');
  const bot = join(user, 'bot');
  expect(dependenciesOf(readFileSync(join(bot, 'package.json'), 'utf8'))['tidewire']).toBe(
    (JSON.parse(manifest) as { readonly version: string }).version,
  );
  symlinkSync('../node_modules', join(bot, 'node_modules'));
  // What its manifest asks for beyond what the folder of the user has.
  mkdirSync(join(bot, 'node_modules', '@types'), { recursive: true });
  symlinkSync(join(root, 'node_modules', '@types', 'node'), join(bot, 'node_modules', '@types', 'node'));
  ran(bot, 'npx', 'vitest', 'run');
  ran(bot, 'npx', 'tsc', '--noEmit');
  ran(bot, 'npx', 'tidewire', 'backtest', 'strategies/my-maker.ts', '--data', 'node_modules/tidewire/data/sample');
  ran(bot, 'npx', 'tidewire', 'paper', 'strategies/my-maker.ts', '--for', '20s');
}, 300_000);
