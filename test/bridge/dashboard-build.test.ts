/** What is committed of the dashboard is what its source builds; it is small, and asks nobody else for anything. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const WEIGHT_MAX = 400_000;
const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'web', 'dashboard', 'dist');
const folder = mkdtempSync(join(tmpdir(), 'tidewire-dashboard-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = (of: string): readonly string[] => readdirSync(of).toSorted();
const textOf = (of: string, file: string): string => readFileSync(join(of, file), 'utf8');

test('dashboard/dist/is-built-from-the-source', () => {
  execFileSync(process.execPath, [join(root, 'bin', 'build-dashboard.js'), folder]);
  expect(files(folder)).toEqual(files(dist));
  for (const file of files(dist)) {
    const isSame = textOf(folder, file) === textOf(dist, file);
    expect(isSame, `${file} is not what web/dashboard builds: npm run dashboard:build`).toBe(true);
  }
});

test('dashboard/dist/weighs-at-most-400-kB', () => {
  const bytes = files(dist).reduce((sum, file) => sum + statSync(join(dist, file)).size, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(WEIGHT_MAX);
});

test('dashboard/dist/has-nothing-inline-and-nothing-foreign', () => {
  const page = textOf(dist, 'index.html');
  expect(page.match(/<script(?![^>]*\ssrc="\.\/)[^>]*>/g)).toBeNull();
  expect(page.match(/<style|\sstyle=|\son\w+=/g)).toBeNull();
  expect(page.match(/(?:src|href)="(?!\.\/)[^"]*"/g)).toBeNull();
  const styles = textOf(dist, 'app.css');
  expect(styles.match(/@import|url\((?!["']?data:)/g)).toBeNull();
  expect(textOf(dist, 'app.js').match(/\beval\(|\bnew Function\(|dangerouslySetInnerHTML\s*[=:]\s*\{/g)).toBeNull();
});
