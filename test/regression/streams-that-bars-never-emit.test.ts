/** A strategy of best prices over bars alone ended as one that did not trade; nothing said that its stream never emits there. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { documentOf, freshFolder, root } from '../e2e/cli.ts';

const WARNING = "market.top('BTCUSDT') never emits here: the data has no order book; on bars take market.candles";

it('are named in a warning, where the data has no order book', async () => {
  const cwd = freshFolder();
  const warningsOf = async (template: string, data: string): Promise<readonly string[]> => {
    const name = `my-${template}`;
    await callCli(['new', name, '--template', template], cwd);
    const ended = await callCli(
      [
        'backtest',
        join(cwd, 'strategies', `${name}.ts`),
        '--data',
        join(root, 'data', data),
        '--without-lockbox',
        '--json',
      ],
      cwd,
    );
    expect(ended.code, ended.stderr).toBe(0);
    const { warnings } = documentOf<{ readonly warnings: readonly string[] }>({ ...ended, signal: null });
    return warnings.filter((warning) => warning.includes('never emits'));
  };
  expect(await warningsOf('grid', 'sample-bars')).toEqual([WARNING]);
  expect(await warningsOf('grid', 'sample')).toEqual([]);
  expect(await warningsOf('candles', 'sample-bars')).toEqual([]);
});
