/**
 * With another reporting currency than the symbols are quoted in, limits were valued by the inverse of a pair and results were
 * not: a purchase was a gain. Where nothing had a price in it, a backtest took the limits as money of the data's currency.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, run, strategyFile } from '../e2e/cli.ts';
import { sessions } from '../e2e/session-view.ts';
import { Instruments } from '../../src/model/market/instrument.ts';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import { Amounts } from '../../src/session/recorder/amounts.ts';
import { RunRecorder } from '../../src/session/recorder/run-recorder.ts';
import { BTC } from '../execution/rig.ts';

const BOUGHT: VenueFill = {
  tradeId: 't1',
  orderId: 'o1',
  symbol: BTC.symbol,
  market: 'spot',
  side: 'buy',
  price: '60000',
  quantity: '0.01',
  fee: '0',
  feeCurrency: 'BTC',
  liquidity: 'taker',
  ts: 2,
};

it('a result counts what is quoted by one divided by the price', () => {
  const recorder = new RunRecorder(new Instruments([BTC]), 'BTC');
  recorder.begin(0, () => null);
  const held = new Amounts();
  held.add('USDT', '60000');
  held.add('BTC', '1');
  recorder.equity.hold(held);
  recorder.mark(1, BTC.symbol, 60_000);
  expect(recorder.equity.capital).toBeCloseTo(2, 12);
  recorder.traded(BOUGHT);
  recorder.equity.point(2);
  expect(recorder.equity.equity).toBeCloseTo(2, 12);
  recorder.mark(3, BTC.symbol, 48_000);
  // 600 USDT, spent at 60,000, are worth 0.0125 BTC now.
  const { netPnl } = recorder.equity.figures(recorder.equity.expected())!;
  expect(netPnl.toNumber()).toBeCloseTo(0.01 - 0.0125, 12);
  const { value, length } = recorder.equity.series();
  expect(value[length - 1]).toBeCloseTo(1.9975, 12);
  expect(recorder.warnings()).toEqual([]);
});

const maker = strategyFile('spread-maker');
const data = ['--data', resolve('data/sample')];

function configured(cwd: string, reporting: string, more = ''): readonly string[] {
  const file = join(cwd, `${reporting}.yaml`);
  writeFileSync(file, `account: { reporting: ${reporting}, start: { USDT: "20000", BTC: "1" } }\n${more}\n`);
  return ['--config', file, '--json'];
}

interface Document {
  readonly warnings: readonly string[];
  readonly stats: { readonly netPnl: number | null };
  readonly assumptions: { readonly reporting: string };
  readonly fills: number;
}

it('a backtest is in the currency that was asked for, with its limits', async () => {
  const cwd = freshFolder();
  const limits = 'risk: { maxOrderValue: "0.05" }';
  const ran = await run(['backtest', maker, ...data, ...configured(cwd, 'BTC', limits)], { cwd });
  expect(ran.code, ran.stderr).toBe(0);
  const { warnings, stats, assumptions, fills } = documentOf<Document>(ran);
  expect(assumptions.reporting).toBe('BTC');
  expect(fills).toBeGreaterThan(0);
  expect(warnings.filter((warning) => /price in|figures are in/.test(warning))).toEqual([]);
  expect(stats.netPnl).not.toBeNull();
  expect(Math.abs(stats.netPnl!)).toBeLessThan(0.01);
});

it('a backtest takes no limits in a currency that nothing has a price in', async () => {
  const cwd = freshFolder();
  const refused = await run(['backtest', maker, ...data, ...configured(cwd, 'XAU', 'risk: { maxOrderValue: "1" }')], {
    cwd,
  });
  expect([refused.code, errorOf(refused)]).toMatchObject([
    2,
    { code: 'reporting_unpriced', message: expect.stringContaining('maxOrderValue') },
  ]);
  const ran = await run(['backtest', maker, ...data, ...configured(cwd, 'XAU')], { cwd });
  expect(documentOf<Document>(ran).warnings).toContain('nothing is quoted in XAU: figures are in USDT');
});

it('a session in such a currency does not start', async () => {
  const cwd = freshFolder();
  const refused = await run(['paper', maker, '--for', '1s', ...configured(cwd, 'XAU')], { cwd });
  expect([refused.code, errorOf(refused)]).toMatchObject([
    2,
    { code: 'reporting_unpriced', message: expect.stringMatching(/BTCUSDT is paid in USDT, .* no price of it in XAU/) },
  ]);
  expect(await sessions(cwd)).toEqual([]);
});
