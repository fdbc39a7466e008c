/** `--watch` as a user meets it: an edited strategy runs again, a broken one does not, and Ctrl-C ends it. */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errorOf, freshFolder, root, run, start, until } from './cli.ts';
import { sessions } from './session-view.ts';

function strategy(name: string, part = './part.ts'): string {
  return `
import { defineStrategy, note, quote } from 'tidewire';
import { map, take } from 'rxjs';
import { quantity } from '${part}';

export default defineStrategy({
  name: '${name}',
  setup: ({ market }) =>
    market.top('BTCUSDT').pipe(
      take(1),
      map(({ mid }) => [note('quantity ' + quantity), quote('BTCUSDT', { bids: [{ price: Math.floor(mid * 0.97), quantity }], asks: [] })]),
    ),
});
`;
}

/** As editors do: beside it, then in its place. */
function write(cwd: string, name: string, text: string): void {
  writeFileSync(join(cwd, `.${name}.new`), text);
  renameSync(join(cwd, `.${name}.new`), join(cwd, name));
}

it('backtest --watch runs again when a local import changes, and tells of a broken file', async () => {
  const cwd = freshFolder();
  write(cwd, 'part.ts', "export const quantity = '0.001';\n");
  write(cwd, 'bot.ts', strategy('first'));
  const words = ['backtest', 'bot.ts', '--data', join(root, 'data', 'sample'), '--without-lockbox', '--watch'];
  const both = await run([...words, '--json'], { cwd });
  expect([both.code, errorOf(both).code]).toEqual([2, 'bad_option']);

  const running = start(words, { cwd });
  const waits = (count: number): Promise<true> =>
    running.during(`run ${count}`, () =>
      running.stderr.split('waiting for a change').length > count ? (true as const) : undefined,
    );
  await waits(1);
  expect(running.stdout).toContain('first');
  write(cwd, 'part.ts', 'export const quantity = nothing;\n');
  await waits(2);
  expect(running.stderr).toContain('error strategy_threw');
  write(cwd, 'part.ts', "export const quantity = '0.002';\n");
  write(cwd, 'bot.ts', strategy('second'));
  await waits(3);
  expect(running.stdout).toContain('second');
  const ended = await running.signal('SIGINT');
  expect(ended.signal ?? ended.code).not.toBe(0);
});

it('paper --watch goes on with the last one while a file is broken, then begins a session with the new one', async () => {
  const cwd = freshFolder();
  write(cwd, 'part.ts', "export const quantity = '0.001';\n");
  write(cwd, 'bot.ts', strategy('bot'));
  const running = start(['paper', 'bot.ts', '--watch'], { cwd });
  const resting = (count: number, quantity: string): Promise<string> =>
    running.during(`an order of ${quantity}`, async () => {
      const all = await sessions(cwd);
      const found = all.find(({ openOrders }) => openOrders.some((order) => order.quantity === quantity));
      return all.length === count ? found?.id : undefined;
    });
  const first = await resting(1, '0.001');
  write(cwd, 'bot.ts', 'this is no strategy');
  await running.during('the error', () => (running.stderr.includes('continues unchanged') ? true : undefined));
  expect(await resting(1, '0.001')).toBe(first);
  write(cwd, 'part.ts', "export const quantity = '0.002';\n");
  write(cwd, 'bot.ts', strategy('bot'));
  const second = await resting(2, '0.002');
  expect(second).not.toBe(first);
  const ended = await running.signal('SIGINT');
  expect(ended.code).toBe(0);
  const left = await until('both ended', async () => {
    const all = await sessions(cwd);
    return all.every(({ running: runs }) => !runs) ? all : undefined;
  });
  expect(left.map(({ clean }) => clean)).toEqual([true, true]);
  expect(left.flatMap(({ openOrders }) => openOrders)).toEqual([]);
});
