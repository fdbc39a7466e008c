/**
 * A process on a terminal, made by `script` of util-linux. `freeze` stops the reader of that terminal, as Ctrl-S, a frozen
 * ssh or a laptop asleep do; what the process writes then fills the terminal and stays there.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { root } from './cli.ts';

/** Why no terminal can be had here; null where one can. */
export const noTerminal: string | null =
  process.platform === 'linux' && spawnSync('script', ['--version']).status === 0
    ? null
    : 'needs `script` of util-linux (package bsdutils or util-linux)';

const open = new Set<ChildProcess>();

afterEach(() => {
  for (const child of open) child.kill('SIGKILL');
  open.clear();
});

export interface OnTerminal {
  /** All that the terminal has read. */
  readonly shown: () => string;
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** The exit code of the process. */
  readonly ended: Promise<number | null>;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function onTerminal(args: readonly string[], cwd: string): OnTerminal {
  const call = [process.execPath, join(root, 'bin', 'tidewire.js'), ...args].map(quoted).join(' ');
  const line = `stty cols 120 rows 60; exec ${call}`;
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  open.add(child);
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString('utf8')));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      open.delete(child);
      resolve(code);
    });
  });
  return {
    shown: () => shown,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    ended,
  };
}
