/**
 * Found by hand: `spot order` showed what a limit order had filled at on average in the column of its price, so that the limit
 * was not seen any more.
 */
import { expect, it } from 'vitest';
import { openCliDesk } from '../cli/cli-desk.ts';

it('shows the limit price of an order and its average apart', async () => {
  const desk = await openCliDesk(78);
  try {
    const shown = async (who: 'alice' | 'bob', ...args: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await desk.call(who, ['spot', ...args]);
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/).slice(1).join(' | '));
    };
    await shown('bob', 'order', 'BTCUSDT', 'buy', '0.1', '--price', '59999', '--yes');
    const head = 'symbol | side | price | average | filled | state';
    expect(await shown('alice', 'order', 'BTCUSDT', 'sell', '0.02', '--price', '59800', '--yes')).toEqual([
      head,
      'BTCUSDT | sell | 59800 | 59999 | 0.02/0.02 | filled',
    ]);
    expect(await shown('alice', 'order', 'BTCUSDT', 'sell', '0.02', '--yes')).toEqual([
      head,
      'BTCUSDT | sell | market | 59999 | 0.02/0.02 | filled',
    ]);
    expect(await shown('alice', 'order', 'BTCUSDT', 'sell', '0.02', '--price', '70000', '--yes')).toEqual([
      head,
      'BTCUSDT | sell | 70000 | - | 0/0.02 | new',
    ]);
  } finally {
    await desk.stop();
  }
});
