/**
 * The runs whose traces are pinned in `golden.json`: simulated worlds, backtests of the sample and of the real files, and
 * the same as a paper session lives them. A change that only moves code keeps every hash; `write.ts` renews them, and the
 * change says why each that moved is right.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { silentLogger } from '../../src/model/ports.ts';
import { importRecording } from '../../src/recording/importers/import.ts';
import { backtest } from '../../src/session/backtest.ts';
import { loadConfig } from '../../src/session/config/load.ts';
import type { BacktestResult } from '../../src/session/result/result.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { simulate } from '../simulation/world/simulate.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SAMPLE = join(ROOT, 'data/sample');
const REAL = join(ROOT, '../shared/data');

/** Part of a trace → its hash, so that what moved is seen. */
export type Hashes = Readonly<Record<string, string>>;

export interface AnchorCase {
  readonly name: string;
  /** Path of real data that it needs; absent: none. */
  readonly needs?: string;
  readonly run: () => Promise<Hashes>;
}

function hashed(value: unknown): string {
  return hash('sha256', JSON.stringify(value), 'hex').slice(0, 16);
}

function hashesOf({
  fills,
  orders,
  equity,
  stats,
  orderCounts,
  positions,
  excursions,
  warnings,
}: BacktestResult): Hashes {
  return {
    fills: `${fills.length} ${hashed(fills)}`,
    orders: `${orders.length} ${hashed(orders)}`,
    equity: `${equity.length} ${hashed(equity)}`,
    figures: hashed({ stats, orderCounts, positions, excursions }),
    warnings: hashed(warnings),
  };
}

type Flags = Readonly<Record<string, unknown>>;

interface Run {
  readonly strategy: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Dotted path of the configuration → value. */
  readonly flags?: Flags;
  readonly asPaper?: true;
}

async function resultOf(path: string, { strategy, params = {}, flags = {}, asPaper }: Run): Promise<Hashes> {
  const strategies = await prepareStrategies({ file: join(ROOT, strategy), params, entries: [] });
  const { config } = loadConfig({ file: null, environment: {}, flags });
  const paper = asPaper === undefined ? {} : { asPaper };
  const options = { config, strategies, data: [path], seed: 7, repeat: 1, logger: silentLogger, ...paper };
  return hashesOf((await backtest(options)).result);
}

function ofSample(name: string, run: Run): AnchorCase {
  return { name: `sample/${name}`, run: () => resultOf(SAMPLE, run) };
}

type Import = Omit<Parameters<typeof importRecording>[0], 'files' | 'out' | 'now'>;

function ofReal(file: string, how: Import, name: string, run: Run): AnchorCase {
  const needs = join(REAL, file);
  return {
    name: `real/${name}`,
    needs,
    run: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'tidewire-anchor-'));
      try {
        const out = join(folder, 'recording');
        await importRecording({ ...how, files: [needs], out, now: 0 });
        return await resultOf(out, run);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function ofSeeds(name: string, first: number, count: number, futures: boolean): AnchorCase {
  return {
    name: `seeds/${name}`,
    run: async () => {
      const traces: string[] = [];
      for (let seed = first; seed < first + count; seed++) {
        const { traceHash, violations } = await simulate({ seed, hours: 0.2, futures });
        traces.push(`${traceHash} ${violations.length}`);
      }
      return { traces: hashed(traces) };
    },
  };
}

const MAKER = 'bench/orders/maker.ts';
const DENSE = 'bench/orders/dense.ts';
const SPREAD = 'strategies/spread-maker.ts';
const USDM = 'binance-frames/usdm-btcusdt-20240808.gz';
const SPOT = 'binance-frames/spot-ethusdt-20240808.gz';
const MINUTES = 'candles/ftx-btc-perp-1m-20211231-20220201.csv.gz';

const collected = (symbol: string): Import => ({ format: 'binance-collector', symbols: [symbol] });
const minutes: Import = {
  format: 'candles-csv',
  symbols: ['BTCUSD'],
  intervalMs: 60_000,
  timestamp: 'close',
  volume: 'quote',
};
/** Fees with a rebate, and of more digits than usual. */
const FINE_FEES: Flags = { 'simulation.fees.maker': '-0.00012', 'simulation.fees.taker': '0.000475' };
const ISOLATED: Flags = { 'simulation.perpetuals.marginType': 'isolated', 'simulation.perpetuals.leverage': 7 };

export const anchorCases: readonly AnchorCase[] = [
  ofSeeds('spot', 5001, 10, false),
  ofSeeds('perpetuals', 5101, 10, true),
  ofSample('spread-maker', { strategy: SPREAD }),
  ofSample('spread-maker as paper', { strategy: SPREAD, asPaper: true }),
  ofSample('imbalance', { strategy: 'strategies/imbalance.ts' }),
  ofSample('ema-cross', { strategy: 'strategies/ema-cross.ts' }),
  ofSample('create and cancel', { strategy: DENSE, params: { act: 'cancel' } }),
  ofSample('create and fill', { strategy: DENSE, params: { act: 'fill' } }),
  ofSample('maker, fine fees, log-normal latency', {
    strategy: MAKER,
    params: { act: 'true' },
    flags: { ...FINE_FEES, 'simulation.latency.model': 'lognormal' },
  }),
  ofReal(USDM, collected('BTCUSDT'), 'perpetual, spread-maker', { strategy: SPREAD }),
  ofReal(USDM, collected('BTCUSDT'), 'perpetual, spread-maker as paper', { strategy: SPREAD, asPaper: true }),
  ofReal(USDM, collected('BTCUSDT'), 'perpetual, create and fill', { strategy: DENSE, params: { act: 'fill' } }),
  ofReal(USDM, collected('BTCUSDT'), 'perpetual, isolated, leverage 7', {
    strategy: MAKER,
    params: { act: 'true', quantity: '0.013', maxPosition: '0.2' },
    flags: { ...ISOLATED, ...FINE_FEES },
  }),
  ofReal(SPOT, collected('ETHUSDT'), 'spot, maker', {
    strategy: MAKER,
    params: { act: 'true', symbol: 'ETHUSDT', quantity: '0.01', maxPosition: '0.1', everyMs: '100' },
  }),
  ofReal(MINUTES, minutes, 'minutes, ema-cross', { strategy: 'strategies/ema-cross.ts', params: { symbol: 'BTCUSD' } }),
];

/** Whether what it needs is here. */
export function isHere({ needs }: AnchorCase): boolean {
  return needs === undefined || existsSync(needs);
}
