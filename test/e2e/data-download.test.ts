/** `data download` from a sandbox over HTTP: what it lists, gaps, a kill -9 in the midst, and a backtest of the result. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { Customer } from '../cli/operations/customer.ts';
import { beforeRemoval, documentOf, errorOf, run, strategyFile } from './cli.ts';

const MINUTE = 60_000;

interface Done {
  readonly symbols: Readonly<
    Record<string, { readonly bars: number; readonly missing: number; readonly gaps: readonly object[] }>
  >;
  readonly pages: number;
  readonly kept: number;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

async function openCustomer(): Promise<Customer> {
  const sandbox = await startSandbox({ port: 0, seed: 7, clock: systemClock });
  beforeRemoval(() => void sandbox.stop());
  return new Customer(sandbox);
}

function bytesOf(dir: string): Record<string, string> {
  return Object.fromEntries(readdirSync(dir).map((name) => [name, readFileSync(join(dir, name)).toString('base64')]));
}

it('data download takes what the exchange lists, tells gaps, and a backtest runs on it', async () => {
  const customer = await openCustomer();
  const { restUrl, sandbox } = customer.sandbox;
  const skip = await fetch(`${restUrl}/sandbox/clock`, {
    method: 'POST',
    body: JSON.stringify({ advanceMs: 30 * MINUTE }),
  });
  expect(skip.ok).toBe(true);
  const to = Math.floor(sandbox.now() / MINUTE) * MINUTE;
  const from = to - 20 * 60 * MINUTE;
  // The first two answers are refused for their rate.
  await customer.faults([{ match: { path: '/api/v2/exchange/public/candle' }, fault: 'rateLimit', ms: 300, times: 2 }]);
  const words = [
    'data',
    'download',
    '--symbols',
    'BTCUSDT,ETHUSDT',
    '--from',
    String(from),
    '--to',
    String(to),
    '--out',
    'rec',
  ];
  const ended = await customer.call(words);
  expect(ended.code, ended.stderr).toBe(0);
  const done = documentOf<Done>(ended);
  const listed = (await (
    await fetch(
      `${restUrl}/api/v2/exchange/public/candle?symbol=BTCUSDT&interval=1m&from=${from}&to=${to - MINUTE}&limit=1000`,
    )
  ).json()) as readonly unknown[];
  expect(listed.length).toBe(1000);
  const { bars = 0, missing = 0, gaps = [] } = done.symbols['BTCUSDT'] ?? {};
  expect(bars + missing).toBe(1200);
  expect(missing).toBeGreaterThanOrEqual(28);
  expect(missing).toBeLessThanOrEqual(31);
  expect(gaps.length).toBeGreaterThan(0);
  expect(done).toMatchObject({ pages: 4, kept: 0, problems: [] });
  expect(done.warnings.join()).not.toContain('inferred');

  const info = documentOf<{ readonly symbols: Readonly<Record<string, { readonly candles: number }>> }>(
    await run(['data', 'info', 'rec', '--json'], { cwd: customer.cwd }),
  );
  expect(info.symbols['BTCUSDT']?.candles).toBe(bars);
  const backtest = await customer.call(['backtest', strategyFile('ema-cross'), '--data', 'rec']);
  expect(backtest.code, backtest.stderr).toBe(0);
  expect(documentOf<{ readonly fills: number }>(backtest).fills).toBeGreaterThan(0);

  const nobody = await customer.call([...words, '--trades']);
  expect([nobody.code, errorOf(nobody).code]).toEqual([2, 'bad_option']);
  const stranger = await customer.call(words.map((word) => (word === 'BTCUSDT,ETHUSDT' ? 'NOPE' : word)));
  expect(errorOf(stranger).message).toContain('BTCUSDT');
});

it('data download goes on after kill -9, to the same bytes as in one go', async () => {
  const customer = await openCustomer();
  const { sandbox } = customer.sandbox;
  const to = Math.floor(sandbox.now() / MINUTE) * MINUTE;
  const words = (out: string): string[] => {
    const from = String(to - 24 * 60 * MINUTE);
    const symbols = 'BTCUSDT,ETHUSDT,BTCUSDTPERP';
    return ['data', 'download', '--symbols', symbols, '--from', from, '--to', String(to), '--out', out];
  };
  const whole = await customer.call(words('whole'));
  expect(whole.code, whole.stderr).toBe(0);

  const slow = { TIDEWIRE_EXCHANGE_BUDGET_REQUESTS_PER_SECOND: '2' };
  const running = customer.begin(words('rec'), { env: slow });
  const work = join(customer.cwd, 'rec.download');
  await running.during('a page', () =>
    existsSync(work) && readdirSync(work).some((name) => name.endsWith('.page')) ? true : undefined,
  );
  expect((await running.signal('SIGKILL')).signal).toBe('SIGKILL');
  expect(existsSync(join(customer.cwd, 'rec'))).toBe(false);
  const again = await customer.call(words('rec'));
  expect(again.code, again.stderr).toBe(0);
  const done = documentOf<Done>(again);
  expect(done.kept).toBeGreaterThan(0);
  expect(done.kept).toBeLessThan(done.pages);
  expect(bytesOf(join(customer.cwd, 'rec'))).toEqual(bytesOf(join(customer.cwd, 'whole')));
  expect(existsSync(work)).toBe(false);
});
