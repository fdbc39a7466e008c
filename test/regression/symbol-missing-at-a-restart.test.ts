/**
 * Found by hand: a list of instruments without the symbol, at a restart with a position and its stop in it, was called a wrong
 * configuration (exit 2, trade another symbol), so that a supervisor never started the bot again and nobody named the position.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCustomer } from '../cli/operations/customer.ts';
import { signed } from '../conformance/raw-client.ts';
import { errorOf } from '../e2e/cli.ts';
import { sessions } from '../e2e/session-view.ts';

const PROTECTED = `import { bracket, defineStrategy, z } from 'tidewire';
import { map, take } from 'rxjs';
export default defineStrategy({
  name: 'protected',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup: ({ params: { symbol }, market }) =>
    market.top(symbol).pipe(
      take(1),
      map(() =>
        bracket({
          ref: 'b1',
          entry: { symbol, side: 'buy', type: 'market', quantity: '0.01' },
          takeProfit: { bps: 50 },
          stopLoss: { bps: 50 },
        }),
      ),
    ),
});
`;

it('is the matter of the exchange, which is named, where the session has something in it', async () => {
  const customer = await openCustomer();
  const { cwd, sandbox, user } = customer;
  const other = sandbox.users[1]!;
  for (const [side, price] of [
    ['buy', '59980'],
    ['sell', '60000'],
  ]) {
    const order = { symbol: 'BTCUSDT', type: 'limit', timeInForce: 'gtc', quantity: '1', side, price };
    const path = '/api/v2/exchange/client/order/spot';
    expect((await signed(sandbox.restUrl, other.apiKey, 'POST', path, order)).status).toBeLessThan(300);
  }
  const strategy = join(cwd, 'protected.ts');
  writeFileSync(strategy, PROTECTED);
  const args = ['run', strategy, '--live', '--confirm', user.login];
  const bot = customer.begin(args);
  const { id } = await bot.during('the take-profit', async () =>
    (await sessions(cwd)).find(
      ({ openOrders, fills }) => fills > 0 && openOrders.some(({ state }) => state === 'open'),
    ),
  );
  await bot.signal('SIGKILL');

  const exchange = sandbox.sandbox;
  const handle = exchange.handle.bind(exchange);
  exchange.handle = (request, respond) => {
    const isList = request.target.includes('/instrument/spot/list');
    const without = (text: string): string =>
      JSON.stringify((JSON.parse(text) as { symbol: string }[]).filter(({ symbol }) => symbol !== 'BTCUSDT'));
    handle(request, (reply) => respond(reply === null || !isList ? reply : { ...reply, body: without(reply.body) }));
  };
  const refused = await customer.call(args);
  expect([refused.code, errorOf(refused).code], refused.stderr).toEqual([4, 'symbol_not_listed']);
  const { message, hint } = errorOf(refused);
  expect(message).toMatch(/does not list BTCUSDT now/);
  expect(message).toContain(id);
  expect(message).toMatch(
    /a position of 0\.00\d+ BTCUSDT \(protected\), the bracket b1 \(protected\), the order \S+ \(sell /,
  );
  expect(`${message} ${hint}`).not.toContain('--param');

  // Nothing of the journal is in a symbol that never was there.
  const typed = await customer.call([...args, '--param', 'symbol=BTCUSDX']);
  expect([typed.code, errorOf(typed).code], typed.stderr).toEqual([2, 'symbol_unknown_here']);

  exchange.handle = handle;
  const again = customer.begin(args);
  await again.during('the session', async () =>
    (await sessions(cwd)).find((session) => session.id === id && session.running && session.boots === 2),
  );
  expect((await again.signal('SIGTERM')).stderr).toContain(`resuming ${id}`);
});
