/**
 * Found by hand: `status` of a running session valued what it held at the price of its last fill, however long ago that was: -3.10
 * stood there where -18.10 was true.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Api } from '../bridge/paper-session.ts';
import { SECRET, served } from '../bridge/served.ts';
import { openCustomer } from '../cli/operations/customer.ts';
import { signed } from '../conformance/raw-client.ts';
import { documentOf } from '../e2e/cli.ts';
import { entriesOf } from '../e2e/session-view.ts';

const BUYS_ONCE = `import { defineStrategy, place, z } from 'tidewire';
import { map, take } from 'rxjs';
export default defineStrategy({
  name: 'buys-once',
  params: z.object({}),
  symbols: () => ['BTCUSDT'],
  setup: ({ market }) =>
    market.top('BTCUSDT').pipe(take(1), map(() => place({ symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '0.01' }))),
});
`;

interface Shown {
  readonly id: string;
  readonly path: string;
  readonly fills: number;
  readonly netPnl: number | null;
  readonly pricedAt: number | null;
}

it('values what is held at the price of now, and of a dead process at the last that it knew, and says of when it is', async () => {
  const customer = await openCustomer();
  const { cwd, sandbox, user } = customer;
  const maker = sandbox.users[1]!;
  const ask = async (path: string, body: object): Promise<void> => {
    const { status } = await signed(
      sandbox.restUrl,
      maker.apiKey,
      'POST',
      `/api/v2/exchange/client/order/${path}`,
      body,
    );
    expect(status).toBeLessThan(300);
  };
  const quote = async (bid: string, offer: string): Promise<void> => {
    const order = { symbol: 'BTCUSDT', type: 'limit', timeInForce: 'gtc', quantity: '1' };
    await ask('spot', { ...order, side: 'buy', price: bid });
    await ask('spot', { ...order, side: 'sell', price: offer });
  };
  await quote('59980', '60000');
  const strategy = join(cwd, 'buys-once.ts');
  writeFileSync(strategy, BUYS_ONCE);
  const shown = async (): Promise<Shown | undefined> => {
    const { sessions } = documentOf<{ readonly sessions: readonly Shown[] }>(await customer.call(['status']));
    return sessions.find((row) => 'fills' in row && row.fills > 0);
  };

  const bot = customer.begin(['run', strategy, '--live', '--confirm', user.login]);
  const { path } = await bot.during('the fill', shown);
  const [bought] = entriesOf(path, 'fill');
  if (bought === undefined) throw new Error('nothing was bought');
  const { fill } = bought;
  const inBase = fill.feeCurrency === 'BTC' ? Number(fill.fee) : 0;
  const inQuote = fill.feeCurrency === 'BTC' ? 0 : Number(fill.fee);
  const worthAt = (mid: number): number => (0.01 - inBase) * mid - 0.01 * Number(fill.price) - inQuote;

  await ask('cancel-many', { symbol: 'BTCUSDT' });
  await quote('59000', '59100');
  const moved = await bot.during('the price of now', async () => {
    const row = await shown();
    return Math.abs((row?.netPnl ?? 0) - worthAt(59_050)) < 1e-6 ? row : undefined;
  });
  expect(moved.pricedAt).toBeGreaterThan(fill.ts);

  await bot.signal('SIGKILL');
  const dead = await shown();
  expect(dead?.netPnl).toBeCloseTo(worthAt(59_050), 6);
  expect(dead?.pricedAt).toBeGreaterThanOrEqual(moved.pricedAt ?? Infinity);

  // Found by a slow machine: where the last price was younger than the last entry, the curve went on after its end.
  const file = join(path, 'prices.json');
  const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { at: number }>;
  const later = entriesOf(path, 'fill')[0]!.fill.ts + 60_000;
  for (const price of Object.values(known)) price.at = later;
  writeFileSync(file, JSON.stringify(known));
  const bridge = await served({ root: join(cwd, 'data/sessions') });
  const api = new Api({ url: bridge.server.url, token: SECRET });
  const id = dead?.id ?? '';
  const { endedAt } = await api.get<{ endedAt: number }>(`/sessions/${id}`);
  const { points } = await api.get<{ points: { ts: number }[] }>(`/sessions/${id}/equity`);
  expect([points.at(-1)?.ts, endedAt]).toEqual([later, later]);
  await bridge.close();
});
