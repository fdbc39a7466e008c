/** What a scenario is made of, and its defaults. */
import type { Instrument, InstrumentSpec } from '../model/market/instrument.ts';
import type { Logger } from '../model/ports.ts';
import { parseDuration } from '../model/time.ts';
import { limitsSchema } from '../risk/options.ts';
import { configSchema, type Config } from '../session/config/schema.ts';
import type { PreparedStrategy } from '../session/strategies.ts';
import { isStrategyDefinition, type StrategyDefinition } from '../strategy/definition.ts';
import { InputLog } from '../strategy/inputs/input-log.ts';
import { requirePlainParams, resolveParams } from '../strategy/loading/params.ts';
import { testingErrors } from './errors.ts';
import type { ScenarioCandle } from './market-script.ts';

export interface ScenarioOptions {
  /** The default export of a strategy file. */
  readonly strategy: StrategyDefinition;
  readonly params?: Readonly<Record<string, unknown>>;
  /**
   * The instruments, by symbol or in full. A symbol that ends with PERP is a perpetual. Default: the strategy's symbols.
   */
  readonly at?: string | InstrumentSpec | readonly (string | InstrumentSpec)[];
  /** Balances at the start, by currency. Default: 100,000 of each quote currency, 10 of each spot base currency. */
  readonly account?: Readonly<Record<string, string>>;
  /** Bars that closed before the start, oldest first, for a strategy of candles. */
  readonly warmup?: readonly ScenarioCandle[];
  /** The start; a time or Unix ms. Default 2026-01-05T00:00:00Z, a Monday. */
  readonly start?: string | number;
  /** Default 1. */
  readonly seed?: number;
  /** From the strategy to the exchange, and back, ms each. Default 0. */
  readonly latencyMs?: number;
  /** The limits of the strategy, as under `strategies[].limits` of the configuration. */
  readonly limits?: Readonly<Record<string, unknown>>;
  /** Sections `risk`, `simulation`, `reconcile` and `account` of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What the strategy logs; default: nothing is kept. */
  readonly log?: Logger;
}

/** 2026-01-05T00:00:00Z */
export const START_MS = 1_767_571_200_000;

const QUOTES = ['USDT', 'USDC', 'USD', 'EUR', 'RUB', 'BTC', 'ETH'];

/** Tick 0.01 and lot 0.00001, 0.001 for a perpetual. */
function specOf(symbol: string): InstrumentSpec {
  const isPerpetual = symbol.endsWith('PERP');
  const name = isPerpetual ? symbol.slice(0, -'PERP'.length) : symbol;
  const quote = QUOTES.find((end) => name.length > end.length && name.endsWith(end));
  if (quote === undefined)
    throw testingErrors.make(
      'scenario_invalid',
      `${symbol} ends with no known quote currency; give the whole instrument`,
    );
  const lotSize = isPerpetual ? '0.001' : '0.00001';
  return {
    symbol,
    market: isPerpetual ? 'derivative' : 'spot',
    base: name.slice(0, -quote.length),
    quote,
    ...(isPerpetual ? { settle: quote } : {}),
    tickSize: '0.01',
    lotSize,
    minQuantity: lotSize,
    maxQuantity: '10000',
    minNotional: '5',
    status: 'trading',
  };
}

export function preparedStrategy({ strategy, params = {}, limits = {} }: ScenarioOptions): PreparedStrategy {
  if (!isStrategyDefinition(strategy))
    throw testingErrors.make('scenario_invalid', 'strategy is not the default export of a strategy file');
  const resolved = resolveParams(strategy, params);
  requirePlainParams(strategy, resolved);
  const loaded = {
    definition: strategy,
    file: '',
    files: new Set<string>(),
    modules: new Set<string>(),
    bytes: 0,
    hash: strategy.name,
    inputs: new InputLog('.'),
    ownNames: new Map(),
    warnings: [],
  };
  return {
    loaded,
    file: '',
    tag: strategy.name,
    params: resolved,
    limits: limitsSchema.parse(limits),
    onStop: 'cancel',
  };
}

/** By default what the parameters name as `symbol` or `symbols`. */
export function specsOf({ at }: ScenarioOptions, { loaded, params }: PreparedStrategy): readonly InstrumentSpec[] {
  const { definition } = loaded;
  const named = definition.symbols(params) ?? definition.candleNeeds(params)?.symbols;
  const { symbol } = params;
  const all = at ?? named ?? (typeof symbol === 'string' ? symbol : 'BTCUSDT');
  const list = (Array.isArray(all) ? all : [all]) as readonly (string | InstrumentSpec)[];
  if (list.length === 0) throw testingErrors.make('scenario_invalid', 'a scenario needs an instrument: at is empty');
  return list.map((each) => (typeof each === 'string' ? specOf(each) : each));
}

export function configOf(options: ScenarioOptions, instruments: readonly Instrument[]): Config {
  const start: Record<string, string> = {};
  for (const { market, base, quote, settle } of instruments) {
    start[market === 'spot' ? quote : settle] = '100000';
    if (market === 'spot' && start[base] === undefined) start[base] = '10';
  }
  const latency = { entryMs: options.latencyMs ?? 0, responseMs: options.latencyMs ?? 0, baseMs: 0 };
  const { config = {} } = options;
  const section = (name: string): Readonly<Record<string, unknown>> =>
    (config[name] as Readonly<Record<string, unknown>> | undefined) ?? {};
  return configSchema.parse({
    ...config,
    account: { ...section('account'), start: options.account ?? start },
    simulation: { latency, ...section('simulation') },
  });
}

/** ms. Throws `scenario_invalid`. */
export function durationOf(text: string): number {
  const ms = parseDuration(text);
  if (Number.isFinite(ms)) return ms;
  throw testingErrors.make('scenario_invalid', `'${text}' is no duration; write 500ms, 5s or 2m`);
}
