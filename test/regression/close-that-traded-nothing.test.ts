/** `futures close` and a market order that found no liquidity ended with exit code 0, as if the position were closed. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCliDesk, type CliDesk } from '../cli/cli-desk.ts';

let desk: CliDesk;
beforeAll(async () => {
  desk = await openCliDesk(83);
});
afterAll(() => desk.stop());

const SYMBOL = 'BTCUSDTPERP';

function order(who: 'alice' | 'bob', ...terms: readonly string[]) {
  return desk.json(who, 'futures', 'order', SYMBOL, ...terms, '--yes');
}

async function held(): Promise<string> {
  const { items } = await desk.json<{ readonly items: readonly { readonly quantity: string }[] }>(
    'alice',
    'futures',
    'positions',
  );
  return items[0]?.quantity ?? '0';
}

it('futures/close/ends-with-1-unless-all-of-it-traded', async () => {
  await order('bob', 'buy', '0.1', '--price', '60000');
  await order('alice', 'sell', '0.1', '--price', '60000', '--ioc');
  expect(await held()).toBe('-0.1');

  const close = ['futures', 'close', SYMBOL, '--yes'];
  const nothing = await desk.fails(1, 'order_unfilled', 'alice', ...close);
  expect(nothing).toMatchObject({ filledQuantity: '0', quantity: '0.1', reason: 'no_liquidity' });
  await desk.fails(1, 'order_unfilled', 'alice', 'futures', 'order', SYMBOL, 'buy', '0.1', '--reduce-only', '--yes');
  const ioc = await order('alice', 'buy', '0.1', '--price', '59000', '--ioc');
  expect(ioc['filledQuantity']).toBe('0');

  await order('bob', 'sell', '0.04', '--price', '60000');
  const part = await desk.call('alice', close);
  expect(part.code).toBe(1);
  expect(part.stderr).toMatch(/order_unfilled: order \S+ is expired \(no_liquidity\), with 0.04 of 0.1 filled/);
  expect(await held()).toBe('-0.06');

  await order('bob', 'sell', '0.06', '--price', '60000');
  expect(await desk.json('alice', ...close)).toMatchObject({ status: 'filled', filledQuantity: '0.06' });
});
