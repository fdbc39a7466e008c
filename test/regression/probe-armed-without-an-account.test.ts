/** Found by hand: `probe --arm` without `--confirm` was refused with the remedy of `run`, which has other options. */
import { afterEach, expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { tempDir } from '../execution/rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

it.each([['--arm'], ['--confirm', 'alice']])('cli/probe/names-its-own-options: %s', async (...given) => {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  const { code, stdout } = await callCli(['probe', ...given, '--json'], dir);
  const { error } = JSON.parse(stdout) as { readonly error: { readonly code: string; readonly hint: string } };
  expect(code).toBe(3);
  expect(error.code).toBe('probe_not_confirmed');
  expect(error.hint).not.toContain('--live');
});
