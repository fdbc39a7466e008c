/**
 * Found from outside: in the first live process of a strategy that names its symbol in the code alone, what it bought counted
 * as 0: the net P&L was empty, and the equity fell by the whole purchase. Its recording lacked the instrument.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCustomer } from '../cli/operations/customer.ts';
import { signed } from '../conformance/raw-client.ts';
import { entriesOf } from '../e2e/session-view.ts';
import { documentOf } from '../e2e/cli.ts';

const BUYS_ONCE = `import { defineStrategy, place, z } from 'tidewire';
import { map, take } from 'rxjs';
export default defineStrategy({
  name: 'buys-once',
  params: z.object({ symbol: z.string().default('ETHUSDT') }),
  setup: ({ market }) =>
    market.top('BTCUSDT').pipe(take(1), map(() => place({ symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '0.01' }))),
});
`;

interface Shown {
  readonly path: string;
  readonly fills: number;
}

interface Result {
  readonly stats: { readonly netPnl: number | null; readonly heldDrift: number | null };
  readonly equity: readonly (readonly [ts: number, equity: number])[];
  readonly warnings: readonly string[];
}

it('a symbol that a strategy asks for is followed as one that it names', async () => {
  const customer = await openCustomer();
  const { cwd, sandbox, user } = customer;
  const quote = async (symbol: string, side: string, price: string): Promise<void> => {
    const order = { symbol, type: 'limit', timeInForce: 'gtc', quantity: '1', side, price };
    const path = '/api/v2/exchange/client/order/spot';
    const { status } = await signed(sandbox.restUrl, sandbox.users[1]!.apiKey, 'POST', path, order);
    expect(status).toBeLessThan(300);
  };
  await quote('BTCUSDT', 'buy', '59980');
  await quote('BTCUSDT', 'sell', '60000');
  await quote('ETHUSDT', 'buy', '3000');
  await quote('ETHUSDT', 'sell', '3001');
  const strategy = join(cwd, 'buys-once.ts');
  writeFileSync(strategy, BUYS_ONCE);
  const bot = customer.begin(['run', strategy, '--live', '--confirm', user.login]);
  const { path } = await bot.during('the fill', async () => {
    const { sessions } = documentOf<{ readonly sessions: readonly Shown[] }>(await customer.call(['status']));
    return sessions.find((row) => 'fills' in row && row.fills > 0);
  });
  await bot.signal('SIGINT');

  const { fill } = entriesOf(path, 'fill')[0]!;
  const inBase = fill.feeCurrency === 'BTC' ? Number(fill.fee) : 0;
  const inQuote = fill.feeCurrency === 'BTC' ? 0 : Number(fill.fee);
  const { stats, equity, warnings } = JSON.parse(readFileSync(join(path, 'result.json'), 'utf8')) as Result;
  expect(warnings.filter((text) => text.startsWith('BTC has no price'))).toEqual([]);
  const worth = (0.01 - inBase) * 59_990 - 0.01 * Number(fill.price) - inQuote;
  expect(stats.netPnl).toBeCloseTo(worth, 6);
  expect(equity.at(-1)![1] - equity[0]![1]).toBeCloseTo(worth, 4);
  const { symbols } = JSON.parse(readFileSync(join(path, 'recording', 'recording.json'), 'utf8'));
  expect(symbols).toEqual(['ETHUSDT', 'BTCUSDT']);
});
