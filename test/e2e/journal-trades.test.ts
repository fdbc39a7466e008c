/** `journal trades` of a paper session: the sum of its disposals is what status and result say it made. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, run } from './cli.ts';

/** In and out of a position at the market, twice a second. */
const SWINGS = `
import { defineStrategy, target } from 'tidewire';
import { map, throttleTime } from 'rxjs';

export default defineStrategy({
  name: 'swings',
  setup: ({ market }) =>
    market.top('BTCUSDT').pipe(
      throttleTime(250),
      map((_, n) => target('BTCUSDT', { quantity: n % 2 === 0 ? '0.05' : '0' })),
    ),
});
`;

interface Trades {
  readonly sums: readonly {
    readonly symbol: string;
    readonly disposals: number;
    readonly result: string;
    readonly unknown: number;
  }[];
  readonly rows: readonly { readonly result: string }[];
}

it('journal trades adds up to the result of the session', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'swings.ts'), SWINGS);
  writeFileSync(
    join(cwd, 'c.yaml'),
    'account: { start: { USDT: "10000" } }\nstrategies: [{ file: swings.ts, onStop: flatten }]\n',
  );
  const none = await run(['journal', 'trades', '--json'], { cwd });
  expect([none.code, errorOf(none).code]).toEqual([2, 'session_not_found']);
  const paper = await run(['paper', '--config', 'c.yaml', '--for', '6s', '--json'], { cwd });
  expect(paper.code, paper.stderr).toBe(0);
  const { session, stats } = documentOf<{ readonly session: string; readonly stats: { readonly netPnl: number } }>(
    paper,
  );
  const trades = documentOf<Trades>(await run(['journal', 'trades', '--session', session, '--json'], { cwd }));
  expect(trades.sums).toMatchObject([{ symbol: 'BTCUSDT', unknown: 0 }]);
  expect(trades.sums[0]?.disposals).toBeGreaterThan(3);
  const result = Number(trades.sums[0]?.result);
  // A rest below one lot stays where fees are taken in base.
  expect(Math.abs(result - stats.netPnl)).toBeLessThan(0.01);
  expect(Math.abs(result)).toBeGreaterThan(0.1);
  const status = documentOf<{ readonly sessions: readonly { readonly netPnl: number }[] }>(
    await run(['status', session, '--json'], { cwd }),
  );
  expect(Math.abs(result - (status.sessions[0]?.netPnl ?? 0))).toBeLessThan(0.01);

  const year = new Date().getUTCFullYear();
  const words = ['journal', 'trades', '--csv', '--session', session];
  const csv = await run([...words, '--year', String(year)], { cwd });
  expect(csv.stdout.trimEnd().split('\n')).toHaveLength(trades.rows.length + 1);
  const other = await run([...words, '--year', String(year - 1)], { cwd });
  expect(other.stdout.trimEnd().split('\n')).toHaveLength(1);
  const filed = await run([...words, '--out', 'trades.csv'], { cwd });
  expect(filed.code, filed.stderr).toBe(0);
  expect(existsSync(join(cwd, 'trades.csv'))).toBe(true);
  expect(readFileSync(join(cwd, 'trades.csv'), 'utf8')).toBe(csv.stdout);
});
