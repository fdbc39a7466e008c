/**
 * Found from outside: in a project of one's own the first backtest of the README used up the lockbox, "Go live" named a
 * configuration that is not there, and `data download` asked the embedded sandbox for bars that it does not list.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, root, run } from '../e2e/cli.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');

function section(title: string): string {
  return readme.split('\n## ').find((text) => text.startsWith(`${title}\n`)) ?? '';
}

const commands = (text: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith('npx tidewire '));

it('readme/own-project/leaves-the-lockbox-closed', () => {
  const backtests = commands(section('In a project of your own')).filter((line) => line.includes(' backtest '));
  expect(backtests).toHaveLength(1);
  expect(backtests[0]).toContain('--without-lockbox');
});

it('readme/own-project/names-a-configuration-that-is-in-the-package', () => {
  const [, file = ''] = /`node_modules\/tidewire\/(\S+\.yaml)`/u.exec(section('Go live')) ?? [];
  expect(existsSync(join(root, file))).toBe(true);
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly files: readonly string[];
  };
  expect(files).toContain(file.split('/')[0]);
});

it('readme/data-download/works-as-written-and-the-hint-says-what-a-sandbox-lists', async () => {
  const cwd = freshFolder();
  const line = commands(section('Backtest what you saw')).find((each) => each.includes(' data download '));
  // As the shell does it.
  const text = (line ?? '').replace(/\$\(node -p "(.*?)"\)/u, (_, code: string) =>
    execFileSync(process.execPath, ['-p', code], { encoding: 'utf8' }).trim(),
  );
  const words = text.replace('npx tidewire ', '').split(' ');
  const done = await run([...words, '--json'], { cwd });
  expect(done.code, done.stderr).toBe(0);
  const { symbols } = documentOf<{ readonly symbols: { readonly BTCUSDT: { readonly bars: number } } }>(done);
  expect(symbols.BTCUSDT.bars).toBeGreaterThan(1000);
  const long = ['--from', '2026-01-01', '--to', '2026-02-01', '--out', 'rec', '--json'];
  const empty = errorOf(await run(['data', 'download', '--symbols', 'BTCUSDT', ...long], { cwd }));
  expect(empty).toMatchObject({ code: 'recording_empty', hint: expect.stringContaining('of a sandbox') as string });
});
