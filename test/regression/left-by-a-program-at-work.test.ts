/** `why` of a program at work with an open position said "What it left: nothing", as if the position were gone. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, run, start } from '../e2e/cli.ts';

const STRATEGY = `
import { bracket, defineStrategy } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'prog',
  setup: ({ market }) =>
    market.top('BTCUSDT').pipe(
      take(1),
      map(() =>
        bracket({
          ref: 'guarded',
          entry: { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '0.002' },
          takeProfit: [{ price: { bps: 400 } }],
          stopLoss: { bps: 400 },
        }),
      ),
    ),
});
`;

it('why/program-at-work: says that it has not ended, and what its orders did', async () => {
  const cwd = freshFolder();
  const strategy = join(cwd, 'prog.ts');
  writeFileSync(strategy, STRATEGY);
  const paper = start(['paper', strategy], { cwd });
  const why = await paper.during('a bracket with its exit', async () => {
    const { stdout } = await run(['why', 'guarded'], { cwd });
    return /takeProfit\S* .*, open/.test(stdout) ? stdout : undefined;
  });
  await paper.signal('SIGTERM');
  expect(why).toMatch(
    /\nAt work\n {2}it has not ended: it waits for an exit\n {2}its orders bought 0\.002 of BTCUSDT so far, net\n$/,
  );
  expect(why).not.toContain('What it left');
});
