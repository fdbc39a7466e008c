/** Backtests by columns and plainly: the same result, to the byte. */
import { resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { openTape } from '../../../src/recording/tape/open-tape.ts';
import { columnsOf } from '../../../src/session/replay/tape-columns.ts';
import { freshDir } from '../../recording/fixtures.ts';
import { symbolOf, writeTogether } from '../../recording/many-symbols.ts';
import { bothReplays, type BothRun } from './both-replays.ts';

const SAMPLE = resolve(import.meta.dirname, '../../../data/sample');
const BARS = resolve(import.meta.dirname, '../../../data/sample-bars');
const MAKER = 'test/session/replay/strategies/clock-maker.ts';
const DENSE = 'bench/orders/dense.ts';
const view = { symbol: symbolOf(0), form: 'view' };
const FEED = { 'simulation.latency.model': 'feed' };
const HFT = { 'simulation.mode': 'hft' };
const STRESSED = { 'simulation.stress': { outages: [{ atMs: 5000, forMs: 3000 }] } };
const BURSTS = { 'simulation.latency.model': 'lognormal', 'simulation.queue': 'risk-averse' };

const cases: readonly (readonly [string, BothRun])[] = [
  ['a maker by the clock', { strategy: MAKER, params: view }],
  ['a maker, three times', { strategy: MAKER, params: view, repeat: 3, flags: BURSTS }],
  ['a maker by every change', { strategy: MAKER, params: { ...view, form: 'changes' } }],
  ['a maker by samples', { strategy: MAKER, params: { ...view, form: 'sampled' } }],
  ['by samples, three times', { strategy: MAKER, params: { ...view, form: 'sampled' }, repeat: 3, flags: BURSTS }],
  ['by samples, with looks into the depth', { strategy: MAKER, params: { ...view, form: 'deep' } }],
  ['by samples from a later time on', { strategy: MAKER, params: { ...view, form: 'late' } }],
  ['by samples until trades are asked for', { strategy: MAKER, params: { ...view, form: 'trades' } }],
  ['by samples of several', { strategy: MAKER, params: { ...view, form: 'twice' }, flags: FEED }],
  ['a taker', { strategy: DENSE, params: { act: 'fill', symbol: symbolOf(0), quantity: '0.5' } }],
  ['a latency of the feed', { strategy: MAKER, params: view, flags: FEED }],
  ['mode hft', { strategy: MAKER, params: view, flags: HFT }],
  ['an outage', { strategy: MAKER, params: view, flags: STRESSED }],
];

const onBars: readonly (readonly [string, BothRun])[] = [
  ['a cross', { strategy: 'strategies/ema-cross.ts' }],
  ['a cross, twice', { strategy: 'strategies/ema-cross.ts', repeat: 2, flags: BURSTS }],
  ['a cross, by the feed', { strategy: 'strategies/ema-cross.ts', flags: FEED }],
  ['a breakout with a trailing stop', { strategy: 'strategies/donchian-breakout.ts' }],
  ['orders that rest', { strategy: 'strategies/grid.ts' }],
  [
    'a period within bars',
    {
      strategy: 'strategies/ema-cross.ts',
      fromMs: Date.UTC(2026, 8, 3, 4, 5, 30),
      toMs: Date.UTC(2026, 8, 9, 1, 2, 10),
    },
  ],
];

let data = '';
beforeAll(async () => {
  data = await writeTogether(`${freshDir()}/data`, { symbols: 1, framesPerSymbol: 1200, everyMs: 50, seed: 3 });
});

it.each(cases)('%s', async (_name, run) => {
  const { columns, plain } = await bothReplays(data, run);
  expect(plain.fills).toBeGreaterThan(0);
  expect(columns.text).toBe(plain.text);
});

it.each(onBars)('on bars: %s', async (_name, run) => {
  const { columns, plain } = await bothReplays(BARS, run);
  expect(plain.fills).toBeGreaterThan(0);
  expect(columns.text).toBe(plain.text);
});

it('a period in the middle, which begins with the book of that time', async () => {
  const tape = await openTape([data]);
  const [fromMs, toMs] = [tape.fromUs / 1000 + 10_000, tape.toUs / 1000 - 10_000];
  tape.close();
  const { columns, plain } = await bothReplays(data, { strategy: MAKER, params: view, fromMs, toMs });
  expect(plain.fills).toBeGreaterThan(0);
  expect(columns.text).toBe(plain.text);
});

it('has no columns of several symbols, which are replayed plainly', async () => {
  const [one, bars, several] = [await openTape([data]), await openTape([BARS]), await openTape([SAMPLE])];
  expect([columnsOf(one)?.venue.kind, columnsOf(bars)?.venue.kind, columnsOf(several)]).toEqual(['book', 'bars', null]);
  for (const tape of [one, bars, several]) tape.close();
});
