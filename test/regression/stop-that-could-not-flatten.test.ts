/**
 * A session with `onStop: flatten` that could not close its position ended with 0, its alarm had no reason, and `plan` said
 * "Nothing to do." beside a position without an exit.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { Customer } from '../cli/operations/customer.ts';
import { beforeRemoval, documentOf } from '../e2e/cli.ts';
import { sessions } from '../e2e/session-view.ts';

const HOLDS = `
import { bracket, defineStrategy } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'holds',
  symbols: () => ['BTCUSDT'],
  setup: ({ market }) =>
    market.top('BTCUSDT').pipe(
      take(1),
      map(() =>
        bracket({
          entry: { symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '0.01' },
          takeProfit: [{ price: { bps: 60 } }],
          stopLoss: { bps: 50 },
        }),
      ),
    ),
});
`;

function quote({ sandbox }: RunningSandbox, side: 'buy' | 'sell', price: string): void {
  sandbox.operate((now) => {
    const { trader } = sandbox.exchange.identity.userByLogin('bob')!;
    const order = { symbol: 'BTCUSDT', side, type: 'limit', timeInForce: 'gtc', price, quantity: '1' } as const;
    expect(sandbox.exchange.placeSpot(trader, order, now)).toHaveProperty('orderId');
  });
}

it('ends with 1, with the reason of the exchange, and the plan names the position', async () => {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock, market: 'none' });
  beforeRemoval(() => void sandbox.stop());
  quote(sandbox, 'buy', '59990');
  quote(sandbox, 'sell', '60010');
  const customer = new Customer(sandbox);
  writeFileSync(join(customer.cwd, 'holds.ts'), HOLDS);
  appendFileSync(join(customer.cwd, 'c.yaml'), 'strategies: [{ file: holds.ts, onStop: flatten }]\n');
  const bot = customer.begin(['run', '--live', '--confirm', customer.user.login]);
  await bot.during('the position and its exit', async () => {
    const [session] = await sessions(customer.cwd, ['--config', join(customer.cwd, 'c.yaml')]);
    return session?.positions?.length === 1 && session.openOrders.length > 0 ? true : undefined;
  });
  sandbox.sandbox.operate((now) => {
    const { exchange } = sandbox.sandbox;
    const { trader } = exchange.identity.userByLogin('bob')!;
    exchange.orders.cancelMany(trader, null, { markets: new Set(['spot']) }, now);
  });
  const ended = await bot.signal('SIGINT');
  const { warnings } = documentOf<{ warnings: readonly string[] }>(ended);
  expect(ended.code, ended.stderr).toBe(1);
  expect(warnings[0]).toBe('holds still holds 0.009995 BTCUSDT, which its onStop: flatten did not close');
  expect(ended.stderr).toMatch(/BTCUSDT could not be closed in 5 attempts: no_liquidity; 0\.00999 is left to sell/);

  expect(ended.stderr).toContain('0.009995 BTCUSDT of holds are left unprotected: nothing closes them');

  const plan = await customer.call(['plan']);
  const left = { strategy: 'holds', symbol: 'BTCUSDT', quantity: '0.00999' };
  expect(documentOf(plan)).toMatchObject({ nothingToDo: false, unprotected: [left] });
  expect(plan.code).toBe(0);
});
