/**
 * The hint to an unknown symbol was always `--param symbol=…`, also for a strategy without such a parameter, and named a
 * symbol that another parameter has already.
 */
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { errorOf, freshFolder, root } from '../e2e/cli.ts';
import { join } from 'node:path';

const bars = ['--data', join(root, 'data', 'sample-bars'), '--without-lockbox'];

it('names the parameter whose value is unknown, and proposes no symbol twice', async () => {
  const cwd = freshFolder();
  expect((await callCli(['new', 'my-pairs', '--template', 'pairs'], cwd)).code).toBe(0);
  const pairs = async (...params: string[]) => {
    const ended = await callCli(
      ['backtest', join(cwd, 'strategies', 'my-pairs.ts'), ...bars, ...params, '--json'],
      cwd,
    );
    const { code, message, hint } = errorOf({ ...ended, signal: null });
    expect([ended.code, code], ended.stderr).toEqual([2, 'symbol_unknown_here']);
    expect(hint).not.toContain('symbol=');
    return message;
  };
  expect(await pairs()).toBe(
    'my-pairs: the data has no instrument ETHUSDT; it has BTCUSDT; the parameter second names ETHUSDT',
  );
  expect(await pairs('--param', 'first=XRPUSDT')).toMatch(/no instrument XRPUSDT; .*: --param first=BTCUSDT$/);
});
