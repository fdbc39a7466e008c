#!/usr/bin/env node
// Plain JavaScript, so that any Node can run it: starts the CLI with a Node that is new enough. When this process runs
// on an older Node it hands over to the one that the project brings (an optional dependency, Linux with glibc), passes
// signals on and answers with its exit code.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// Node would open its inspector on this signal, to whoever may send it.
process.on('SIGUSR1', () => {});

const LOWEST_MAJOR = 24;
const here = dirname(fileURLToPath(import.meta.url));
// The sources in a clone, what is compiled of them in an installed package.
const source = join(here, '..', 'src', 'cli', 'main.ts');
const main = existsSync(source) ? source : join(here, '..', 'dist', 'cli', 'main.js');
const args = process.argv.slice(2);

function broughtNode() {
  for (let folder = join(here, '..'); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

if (Number(process.versions.node.split('.')[0]) >= LOWEST_MAJOR) {
  // Before the first source is loaded: without it Node loads its stripper of types. Beside the packages no other user can
  // write; on a read-only folder it has no effect.
  const { enableCompileCache } = await import('node:module');
  enableCompileCache(join(here, '..', 'node_modules', '.cache', 'tidewire'));
  await import(pathToFileURL(main).href);
} else {
  const node = broughtNode();
  const works = node !== undefined && spawnSync(node, ['--version']).status === 0;
  if (!works) {
    process.stderr.write(
      `error node_too_old: tidewire needs Node ${LOWEST_MAJOR} or newer; this is ${process.version} and no bundled Node runs here.\n` +
        `  Install Node ${LOWEST_MAJOR} (macOS, Windows and musl have no bundled one), or on Linux with glibc run npm ci without --omit=optional.\n`,
    );
    process.exit(2);
  }
  // Signals that can be caught are passed on. The channel shows the child that this process is gone, also by SIGKILL:
  // nobody could stop the bot otherwise (docs/operations.md, "A launcher that is killed").
  const child = spawn(node, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`error node_not_started: ${error.message}\n`);
    process.exit(2);
  });
  child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
}
