/** Every command and subcommand says what it does and shows an example; what it shows are options that it has. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshFolder, root, run } from '../e2e/cli.ts';
import { callCli } from './call-cli.ts';

/** The names under `Commands:`. */
function commandsIn(help: string): readonly string[] {
  const [, after = ''] = help.split('\nCommands:\n');
  const names = [...after.split('\n\n')[0]!.matchAll(/^ {2}(\S+)/gm)].map((match) => match[1] ?? '');
  return names.filter((name) => name !== 'help');
}

async function helpOf(path: readonly string[]): Promise<string> {
  const ended = await callCli([...path, '--help'], process.cwd());
  expect(ended.code, path.join(' ')).toBe(0);
  expect(ended.stderr).toBe('');
  return ended.stdout;
}

/** Checks the help of one command; answers the paths of its subcommands. */
async function childrenOf(path: readonly string[]): Promise<readonly (readonly string[])[]> {
  const help = await helpOf(path);
  const command = path.join(' ');
  expect(help, command).toContain(`Usage: tidewire ${command}`);
  const [listed = '', example = ''] = help.split(/Examples?:/);
  expect(example, command).toContain(`tidewire ${command}`);
  const children = commandsIn(help);
  if (children.length > 0) return children.map((child) => [...path, child]);
  // A leaf's example uses options that the help lists above it.
  expect(listed, command).toContain('--json');
  const calls = example.split('\n').filter((line) => line.includes(`tidewire ${command}`));
  for (const [option] of calls.join('\n').matchAll(/--[a-z-]+/g)) expect(listed, command).toContain(option);
  return [];
}

describe('--help', () => {
  it('of a command that does not exist is refused like the command itself', async () => {
    for (const argv of [['stroll'], ['stroll', '--help'], ['stroll', '-h']]) {
      const { code, stdout, stderr } = await callCli(argv, process.cwd());
      expect({ code, stdout }, argv.join(' ')).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain("unknown command 'stroll'");
    }
  });

  it('of every command ends with 0, says what it does and shows an example that names it', async () => {
    const main = await helpOf([]);
    expect(main).toContain('Example');
    const names = commandsIn(main);
    for (const name of 'backtest paper run record data sandbox report journal config new doctor status reconcile panic'.split(
      ' ',
    )) {
      expect(names).toContain(name);
    }
    // A level at a time, its commands side by side.
    for (let level: (readonly string[])[] = names.map((name) => [name]); level.length > 0;) {
      level = (await Promise.all(level.map(childrenOf))).flat();
    }
  }, 90_000);

  it('is what a call without a command prints, with 2', async () => {
    const ended = await run([], { cwd: freshFolder() });
    expect(ended.code).toBe(2);
    expect(ended.stdout + ended.stderr).toContain('Usage: tidewire');
  });

  it('knows its version', async () => {
    const ended = await run(['--version'], { cwd: freshFolder() });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it('outlives a reader that goes away', async () => {
    const launcher = join(root, 'bin', 'tidewire.js');
    const child = spawn(process.execPath, [launcher, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
