/** What `new` writes is what the README shows, and neither buys without end. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { strategyTemplate } from '../../../src/strategy/loading/template.ts';
import { documentOf, freshFolder, root, run } from '../../e2e/cli.ts';

it('template/readme/shows-the-file-that-new-writes', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${strategyTemplate('my-maker', 'stream')}\`\`\``);
});

interface Fill {
  readonly side: 'buy' | 'sell';
  readonly quantity: string;
}

it('template/maker/stays-within-its-position-cap', async () => {
  const cwd = freshFolder();
  expect((await run(['new', 'capped'], { cwd })).code).toBe(0);
  const data = join(root, 'data', 'sample');
  // Tight quotes are hit all the time; without a cap the position would walk far beyond it.
  const args = ['--param', 'halfSpreadBps=0.01', '--param', 'maxPosition=0.002', '--result', 'r.json', '--json'];
  const ended = await run(['backtest', 'strategies/capped.ts', '--data', data, ...args], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  expect(documentOf<{ fills: number }>(ended).fills).toBeGreaterThan(20);
  const { fills } = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as { readonly fills: readonly Fill[] };
  let position = 0;
  let most = 0;
  for (const { side, quantity } of fills) {
    position += side === 'buy' ? Number(quantity) : -Number(quantity);
    most = Math.max(most, Math.abs(position));
  }
  // A quote that was sent just below the cap may fill one quantity beyond it, and one more is on its way.
  expect(most).toBeLessThanOrEqual(0.002 + 2 * 0.001 + 1e-9);
});
