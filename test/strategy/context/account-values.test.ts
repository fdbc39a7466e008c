/** What a position would gain now, and balances as numbers, in a scenario of the real executor. */
import { describe, expect, it } from 'vitest';
import { map, take } from 'rxjs';
import { defineStrategy, note, place, target, z, type OpenPosition } from '../../../src/index.ts';
import { scenario } from '../../../src/testing/index.ts';

/** Holds `quantity`, and keeps what it saw of its position and its money at each second. */
function watcher(quantity: string) {
  const seen: { unrealised: string | null; free: number; available: string }[] = [];
  const kept: OpenPosition[] = [];
  const strategy = defineStrategy({
    name: 'watcher',
    params: z.object({ symbol: z.string().default('BTCUSDT') }),
    setup: ({ params: { symbol }, market, account, clock }) => {
      account.positions().subscribe((position) => kept.push(position));
      clock.every('1s').subscribe(() => {
        const { unrealised } = account.position(symbol);
        const { free, available } = account.balance('USDT');
        seen.push({ unrealised, free, available });
      });
      return market.top(symbol).pipe(
        take(1),
        map(() => target(symbol, { quantity })),
      );
    },
  });
  return { strategy, seen, kept };
}

describe('position.unrealised', () => {
  it('unrealised/spot/is-exact-at-the-mid-less-the-fee-in-base', async () => {
    const { strategy, seen } = watcher('1');
    const scene = await scenario({ strategy })
      .advance('1s')
      .book({ bid: 99.99, ask: 100 })
      .advance('1s')
      .book({ bid: 100.1, ask: 100.11 })
      .advance('1s');
    const { quantity, entryPrice, unrealised } = scene.position();
    expect([quantity, entryPrice, unrealised]).toEqual(['0.9995', '100', '0.1049475']);
    // 0.9995 × (99.995 − 100) and 0.9995 × (100.105 − 100), without binary noise.
    expect(seen.map(({ unrealised }) => unrealised)).toEqual(['0', '-0.0049975', '0.1049475']);
  });

  it('unrealised/perpetual/counts-contracts-and-is-of-a-short-too', async () => {
    const { strategy, seen, kept } = watcher('-2');
    const perpetual = {
      symbol: 'BTCUSDTPERP',
      market: 'derivative',
      base: 'BTC',
      quote: 'USDT',
      settle: 'USDT',
      contractSize: '0.1',
      tickSize: '0.01',
      lotSize: '0.001',
      minQuantity: '0.001',
      maxQuantity: '10000',
      minNotional: '5',
      status: 'trading',
    } as const;
    const scene = await scenario({ strategy, at: perpetual, params: { symbol: 'BTCUSDTPERP' } })
      .book({ bid: 100, ask: 100.02 })
      .advance('1s')
      .book({ bid: 90, ask: 90.02 })
      .advance('1s');
    expect(scene.position().quantity).toBe('-2');
    expect(seen.map(({ unrealised }) => unrealised)).toEqual(['-0.002', '1.998']);
    // Live: an earlier event says what it would gain now; what is kept of it as JSON does not.
    expect(kept.at(-1)?.unrealised).toBe('1.998');
    expect(JSON.stringify(kept.at(-1))).not.toContain('unrealised');
  });

  it('unrealised/without-a-price/is-null', async () => {
    const { strategy, seen } = watcher('1');
    await scenario({ strategy }).book({ bid: 99.99, ask: 100 }).advance('1s').outage('2s');
    expect(seen.map(({ unrealised }) => unrealised)).toEqual(['-0.0049975', null, null]);
  });
});

describe('balance.free', () => {
  it('free/spot/is-what-orders-leave', async () => {
    const seen: number[] = [];
    const strategy = defineStrategy({
      name: 'rester',
      params: z.object({ symbol: z.string().default('BTCUSDT') }),
      setup: ({ params: { symbol }, market, account }) => {
        account.balances().subscribe(({ currency, free }) => {
          if (currency === 'USDT') seen.push(free);
        });
        return market
          .top(symbol)
          .pipe(
            map((_, index) =>
              index === 0
                ? place({ symbol, side: 'buy', type: 'limit', price: 99, quantity: '1' })
                : note('free', { free: account.balance('USDT').free }),
            ),
          );
      },
    });
    const scene = await scenario({ strategy }).book({ bid: 100, ask: 101 }).book({ bid: 100, ask: 102 });
    expect(scene.balance('USDT')).toMatchObject({ available: '99901', free: 99_901 });
    expect(seen).toEqual([100_000, 99_901]);
    expect(scene.actions).toMatchObject([{ kind: 'place' }, { kind: 'note', data: { free: 99_901 } }]);
  });
});
