/** `tidewire init`: a whole project in an empty folder, and nothing at all anywhere else. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, root } from '../e2e/cli.ts';
import { templates } from '../../src/strategy/loading/template-files.ts';
import { callCli } from './call-cli.ts';

interface Made {
  readonly folder: string;
  readonly files: readonly string[];
  readonly next: readonly string[];
}

async function made(cwd: string, ...argv: string[]): Promise<Made> {
  const { code, stdout, stderr } = await callCli(['init', ...argv, '--json'], cwd);
  expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Made;
}

async function refused(cwd: string, ...argv: string[]): Promise<string> {
  const { code, stdout } = await callCli(['init', ...argv, '--json'], cwd);
  const { error } = JSON.parse(stdout) as { readonly error: { readonly code: string } };
  return `${code} ${error.code}`;
}

it.each(Object.keys(templates))('init/%s/every-file-is-there-and-the-configuration-is-right', async (template) => {
  const cwd = freshFolder();
  const { folder, files, next } = await made(cwd, 'bot', '--template', template);
  expect(folder).toBe(join(cwd, 'bot'));
  const strategy = `strategies/my-${template}.ts`;
  expect(files).toEqual(
    expect.arrayContaining([
      'package.json',
      'tsconfig.json',
      '.gitignore',
      'README.md',
      'config/default.yaml',
      strategy,
    ]),
  );
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  expect(next.slice(0, 2)).toEqual(['cd bot', 'npm install']);
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  for (const command of next.slice(1)) expect(readme).toContain(command);
  const checked = await callCli(['config', 'check', '--json'], folder);
  expect([checked.code, checked.code === 0 ? '' : checked.stderr]).toEqual([0, '']);
});

it('init/package.json/names-this-package-and-what-the-strategy-needs', async () => {
  const cwd = freshFolder();
  const { folder } = await made(cwd, 'My Bot', '--template', 'ml');
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  expect(manifest).toMatchObject({ name: 'my-bot', private: true, type: 'module' });
  expect(manifest['dependencies']).toMatchObject({ rxjs: '7.8.2', 'onnxruntime-node': expect.any(String) });
  expect(join(folder, manifest['dependencies']!['tidewire']!.replace('file:', ''))).toBe(root.replace(/\/$/, ''));
  for (const version of Object.values(manifest['devDependencies']!)) expect(version).toMatch(/^\^?\d+\./);
});

it('init/a-folder-that-is-not-empty-is-left-as-it-is', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'notes.txt'), 'mine');
  expect(await refused(cwd, '.')).toBe('2 project_not_empty');
  expect(await refused(cwd, 'notes.txt')).toBe('2 project_not_empty');
  expect(await refused(cwd, 'bot', '--template', 'nosuch')).toBe('2 strategy_template_unknown');
  expect(readdirSync(cwd)).toEqual(['notes.txt']);
  // What `git init` made is no obstacle, and the folder itself may be meant.
  const fresh = freshFolder();
  mkdirSync(join(fresh, '.git'));
  expect((await made(fresh, '.')).next[0]).toBe('npm install');
  expect(await refused(fresh, '.')).toBe('2 project_not_empty');
});

it('init/the-types-of-the-project-are-right', async () => {
  const { folder } = await made(freshFolder(), 'bot', '--template', 'bracket');
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of ['rxjs', 'vitest', '@types']) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  symlinkSync(root, join(modules, 'tidewire'));
  const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
  execFileSync(process.execPath, [tsc, '--noEmit'], { cwd: folder, encoding: 'utf8' });
}, 120_000);
