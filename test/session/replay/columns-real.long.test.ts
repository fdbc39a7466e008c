/** The real files by columns and plainly: the same result, to the byte. Skipped where they are absent. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importRecording } from '../../../src/recording/importers/import.ts';
import { freshDir } from '../../recording/fixtures.ts';
import { bothReplays, type BothRun } from './both-replays.ts';

const FRAMES = resolve(import.meta.dirname, '../../../../shared/data/binance-frames');
const CLOCK = 'bench/replay/maker-by-clock.ts';
const MAKER = 'bench/orders/maker.ts';
const DENSE = 'bench/orders/dense.ts';
const ISOLATED = { 'simulation.perpetuals.marginType': 'isolated', 'simulation.perpetuals.leverage': 50 };
const QUICK = { 'simulation.latency.entryMs': 0, 'simulation.latency.responseMs': 0 };

const perpetual: readonly (readonly [string, BothRun])[] = [
  ['view', { strategy: CLOCK, params: { form: 'view' }, repeat: 2 }],
  ['samples', { strategy: CLOCK, params: { form: 'sampled' }, repeat: 2 }],
  ['every change', { strategy: CLOCK, params: { form: 'throttled' }, flags: { 'simulation.queue': 'last' } }],
  ['no latency', { strategy: CLOCK, params: { form: 'view' }, flags: QUICK }],
  ['whole fills', { strategy: CLOCK, params: { form: 'view' }, flags: { 'simulation.exchange': 'no-partial-fill' } }],
  ['liquidation', { strategy: DENSE, params: { act: 'fill', quantity: '0.4' }, flags: ISOLATED }],
];
const spot: readonly (readonly [string, BothRun])[] = [
  ['maker', { strategy: MAKER, params: { act: 'true', symbol: 'ETHUSDT', quantity: '0.01', maxPosition: '0.1' } }],
];

describe.each([
  ['usdm-btcusdt-20240808', 'BTCUSDT', perpetual],
  ['spot-ethusdt-20240808', 'ETHUSDT', spot],
] as const)('%s', (file, symbol, cases) => {
  const path = join(FRAMES, `${file}.gz`);

  it.skipIf(!existsSync(path))(
    'is the same by columns',
    async () => {
      const out = join(freshDir(), 'recording');
      await importRecording({ format: 'binance-collector', files: [path], symbols: [symbol], out, now: 0 });
      for (const [name, run] of cases) {
        const { columns, plain } = await bothReplays(out, run);
        expect(plain.fills, name).toBeGreaterThan(3);
        expect(columns.text, name).toBe(plain.text);
      }
    },
    240_000,
  );
});
