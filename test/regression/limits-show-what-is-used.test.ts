/** `limits show` says which limits are in force and what of each is used, from the journal of a session that traded. */
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

/** Buys 0.01 at market, then rests a buy of 0.02 far below. */
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
    limits: { maxOpenOrders: 4, maxDailyLoss: 50 }
risk:
  maxPosition: "0.1"
  maxOpenNotional: "4000"
  maxOrderValue: "5000"
  priceCollar: 0.9
  symbols: { BTCUSDT: { maxPosition: "0.06" } }
`;

it('cli/limits/show-says-what-is-used-of-each-limit', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'rests.ts'), RESTS);
  writeFileSync(join(cwd, 'c.yaml'), CONFIG);
  const config = ['--config', 'c.yaml'];
  const paper = start(['paper', ...config], { cwd });
  const { id } = await sessionWhen(
    paper,
    cwd,
    'a fill and an order that rests',
    ({ fills, openOrders }) => fills > 0 && openOrders.length === 1 && openOrders[0]?.state === 'open',
  );
  const shown = await run(['limits', 'show', id, ...config], { cwd });
  expect(shown.code, shown.stderr).toBe(0);
  for (const line of shown.stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  expect(shown.stdout).toMatch(/account +maxOpenOrders +200 +1 +1 %/);
  const { limits } = documentOf<{ readonly limits: readonly Limit[] }>(
    await run(['limits', 'show', id, ...config, '--json'], { cwd }),
  );
  const of = (scope: string, name: string): Limit | undefined =>
    limits.find((limit) => limit.scope === scope && limit.name === name);
  expect(of('account', 'maxOpenNotional')).toMatchObject({ value: '4000', used: '1000', share: 0.25 });
  expect(of('strategy rests', 'maxOpenOrders')).toMatchObject({ value: '4', used: '1', share: 0.25 });
  expect(of('account', 'maxOrderValue')).toMatchObject({ value: '5000', used: null, share: null });
  // 0.01 bought, less the fee in base, and 0.02 that may still fill.
  for (const [scope, value] of [
    ['account', 0.1],
    ['BTCUSDT', 0.06],
  ] as const) {
    const position = of(scope, 'maxPosition');
    expect(Number(position?.used)).toBeGreaterThan(0.0299);
    expect(Number(position?.used)).toBeLessThanOrEqual(0.03);
    expect(position?.share).toBeCloseTo(Number(position?.used) / value, 9);
  }
  expect((await paper.signal('SIGINT')).code).toBe(0);
});

it('cli/limits/show-says-what-is-lost-of-the-day, of the newest session where none is named', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'rests.ts'), RESTS);
  writeFileSync(join(cwd, 'c.yaml'), CONFIG);
  const config = ['--config', 'c.yaml'];
  const paper = start(['paper', ...config], { cwd });
  const { id } = await sessionWhen(paper, cwd, 'a fill', ({ fills }) => fills > 0);
  const show = async (): Promise<readonly (Limit | undefined)[]> => {
    const { limits, session } = documentOf<{ readonly limits: readonly Limit[]; readonly session: string }>(
      await run(['limits', 'show', ...config, '--json'], { cwd }),
    );
    expect(session).toBe(id);
    return ['dailyLossFraction', 'maxDailyLoss'].map((wanted) => limits.find(({ name }) => name === wanted));
  };
  const isSaid = (limit: Limit | undefined): boolean =>
    limit !== undefined && limit.used !== null && Number(limit.used) >= 0 && limit.share !== null;
  await paper.during('what is lost of the day', async () => ((await show()).every(isSaid) ? true : undefined));
  expect((await paper.signal('SIGINT')).code).toBe(0);
  expect((await show()).every(isSaid)).toBe(true);
  const text = await run(['limits', 'show', ...config], { cwd });
  expect(text.stdout.split('\n')[0]).toBe(`${id} (paper, stopped)`);
});
