/** `limits show` listed a strategy's `budget` without what is used of it, and its `share` not at all. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, freshFolder, run, start } from '../e2e/cli.ts';
import { sessionWhen } from '../e2e/session-view.ts';

interface Limit {
  readonly scope: string;
  readonly name: string;
  readonly value: string;
  readonly used: string | null;
  readonly share: number | null;
}

/** Buys 0.01 at market, and rests a buy of 0.02 far below. */
const RESTS = `import { defineStrategy, place } from 'tidewire';
import { map, take } from 'rxjs';
export default defineStrategy({
  name: 'rests',
  symbols: () => ['BTCUSDT'],
  setup: ({ market }) => market.top('BTCUSDT').pipe(
    take(1),
    map(() => [
      place({ symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '0.01' }),
      place({ symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '50000', quantity: '0.02', postOnly: true }),
    ]),
  ),
});
`;

const CONFIG = `strategies:
  - file: ./rests.ts
    limits: { budget: "6000", share: 0.5 }
risk: { maxOrderValue: "5000", priceCollar: 0.9 }
account: { start: { USDT: "20000" } }
`;

it('is said of both, at the prices and the equity that the session last wrote', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'rests.ts'), RESTS);
  writeFileSync(join(cwd, 'c.yaml'), CONFIG);
  const config = ['--config', 'c.yaml'];
  const paper = start(['paper', ...config], { cwd });
  const fits = ({ fills, openOrders }: { readonly fills: number; readonly openOrders: readonly unknown[] }): boolean =>
    fills > 0 && openOrders.length === 1;
  const { id } = await sessionWhen(paper, cwd, 'a fill and an order that rests', fits);
  const used = async (): Promise<readonly Limit[] | undefined> => {
    const shown = await run(['limits', 'show', id, ...config, '--json'], { cwd });
    const { limits } = documentOf<{ readonly limits: readonly Limit[] }>(shown);
    const found = limits.filter(({ scope, name }) => scope === 'strategy rests' && /^(budget|share)$/.test(name));
    return found.length === 2 && found.every((limit) => limit.used !== null) ? found : undefined;
  };
  const [budget, share] = await paper.during('what is used', used);
  // 0.03 at about 60,000, of the budget and of about 20,000.
  expect(budget).toMatchObject({ name: 'budget', value: '6000' });
  expect(Number(budget?.used)).toBeGreaterThan(1500);
  expect(Number(budget?.used)).toBeLessThan(2100);
  expect(budget?.share).toBeCloseTo(Number(budget?.used) / 6000, 9);
  expect(share).toMatchObject({ name: 'share', value: '0.5' });
  expect(Number(share?.used)).toBeCloseTo(Number(budget?.used) / 20_000, 2);
  expect(share?.share).toBeCloseTo(Number(share?.used) / 0.5, 9);
  await paper.signal('SIGINT');
});
