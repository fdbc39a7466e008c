// Runs one of the static checks over the files that git tracks: a report at the root or a draft in strategies/ is the
// user's own, and no reason for `npm test` to fail. Without git (an unpacked archive) the check sees all files.
// Usage: node bin/check-tracked.js typecheck | lint | format
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Null without git. */
function trackedFiles() {
  try {
    const listed = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return listed.split('\0').filter((file) => file !== '' && existsSync(file));
  } catch {
    return null;
  }
}

/** A project file beside nothing, that names the tracked sources one by one. */
function tsconfig(files) {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-check-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const sources = files.filter((file) => /^(src|test|strategies|bench|docs)\/.*\.ts$|^vitest\.config\.ts$/.test(file));
  const project = {
    extends: resolve('tsconfig.json'),
    compilerOptions: { typeRoots: [resolve('node_modules/@types')] },
    include: [],
    files: sources.map((file) => resolve(file)),
  };
  const path = join(folder, 'tsconfig.json');
  writeFileSync(path, JSON.stringify(project));
  return path;
}

const checks = {
  typecheck: (files) => [
    'node_modules/@typescript/native/bin/tsc',
    ['--noEmit', ...(files === null ? [] : ['-p', tsconfig(files)])],
  ],
  lint: (files) => [
    'node_modules/oxlint/bin/oxlint',
    ['--type-aware', '--deny-warnings', ...(files ?? []).filter((file) => /\.[cm]?[jt]sx?$/.test(file))],
  ],
  format: (files) => ['node_modules/oxfmt/bin/oxfmt', ['--check', ...(files ?? [])]],
};

const check = checks[process.argv[2] ?? ''];
if (check === undefined) throw new Error(`usage: node bin/check-tracked.js ${Object.keys(checks).join(' | ')}`);
const [tool, args] = check(trackedFiles());
process.exit(spawnSync(process.execPath, [tool, ...args], { stdio: 'inherit' }).status ?? 1);
