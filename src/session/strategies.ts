/**
 * The strategies of a session: from the command line and the configuration to loaded files with validated parameters.
 * A file named on the command line runs alone, with its entry of the configuration where there is one.
 */
import { resolve } from 'node:path';
import type { StopPolicy } from '../model/action.ts';
import type { RiskOptions, StrategyLimits } from '../execution/options.ts';
import { limitsSchema } from '../execution/options.ts';
import type { Instruments } from '../model/instrument.ts';
import { nearest } from '../model/nearest.ts';
import { loadStrategy, type LoadedStrategy } from '../strategy/load.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import { requirePlainParams, resolveParams, type ParamValues } from '../strategy/params.ts';
import type { StrategyEntry } from './config/schema.ts';
import { sessionErrors } from './errors.ts';

export interface PreparedStrategy {
  readonly loaded: LoadedStrategy;
  /** As the user gave it. */
  readonly file: string;
  readonly tag: string;
  /** Validated; plain JSON values. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly limits: StrategyLimits;
  readonly onStop: StopPolicy;
}

export interface StrategyChoice {
  /** The argument of the command; undefined: all entries of the configuration. */
  readonly file: string | undefined;
  /** `--param k=v` texts; they win over the configuration. */
  readonly params: Readonly<Record<string, string>>;
  readonly entries: readonly StrategyEntry[];
  /** For a session in real time; absent: for one that must come out the same each time. */
  readonly inRealTime?: boolean;
  /** Makes the parameters of an entry; `resolveParams` other than for a session that is run again. */
  readonly resolve?: (
    definition: StrategyDefinition,
    values: ParamValues,
    texts: Readonly<Record<string, string>>,
  ) => ParamValues;
}

/** What will be loaded. */
export function entriesOf({ file, entries }: Pick<StrategyChoice, 'file' | 'entries'>): readonly StrategyEntry[] {
  if (file === undefined) return entries;
  const path = resolve(file);
  const known = entries.find((entry) => resolve(entry.file) === path);
  return [known ?? entryFor(file)];
}

/** Of a strategy that the configuration does not list. */
export function entryFor(file: string): StrategyEntry {
  return { file, params: {}, limits: limitsSchema.parse({}), onStop: 'cancel' };
}

export async function prepareStrategies(choice: StrategyChoice): Promise<readonly PreparedStrategy[]> {
  const entries = entriesOf(choice);
  if (entries.length === 0) {
    throw sessionErrors.make('no_strategy', 'no strategy was named and the configuration lists none');
  }
  const prepared: PreparedStrategy[] = [];
  for (const entry of entries) {
    const loaded = await loadStrategy(entry.file, { inRealTime: choice.inRealTime ?? false });
    const params = (choice.resolve ?? resolveParams)(loaded.definition, entry.params, choice.params);
    requirePlainParams(loaded.definition, params);
    const tag = entry.tag ?? loaded.definition.name;
    if (prepared.some((other) => other.tag === tag)) {
      throw sessionErrors.make('duplicate_tag', `two strategies have the tag ${tag}`, { tag });
    }
    prepared.push({ loaded, file: entry.file, tag, params, limits: entry.limits, onStop: entry.onStop });
  }
  return prepared;
}

/** What the strategies used while they were loaded that a backtest replaces, one sentence each. */
export function importWarnings(strategies: readonly PreparedStrategy[]): string[] {
  return strategies.flatMap(({ tag, loaded }) => loaded.warnings.map((warning) => `${tag}: ${warning}`));
}

/** What they made of names of globalThis while they were loaded: of one name the last. */
export function ownNamesOf(strategies: readonly PreparedStrategy[]): LoadedStrategy['ownNames'] {
  return new Map(strategies.flatMap(({ loaded }) => [...loaded.ownNames]));
}

/** Parameters of these names hold symbols, whatever their values are. */
const SYMBOL_NAMES: ReadonlySet<string> = new Set(['symbol', 'symbols']);

/**
 * The symbols that a strategy names before it runs: its own list, else its parameters `symbol` and `symbols` and what
 * else among its parameters is an instrument.
 */
export function symbolsOf(strategy: PreparedStrategy, isSymbol: (text: string) => boolean): readonly string[] {
  const { definition } = strategy.loaded;
  const named = definition.symbols(strategy.params) ?? definition.candleNeeds(strategy.params)?.symbols;
  if (named !== undefined) return named;
  const texts = Object.entries(strategy.params).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).filter(
      (text): text is string => typeof text === 'string' && (isSymbol(text) || SYMBOL_NAMES.has(name)),
    ),
  );
  return [...new Set(texts)];
}

/**
 * The symbols of all strategies; throws `symbol_unknown_here` for one that the place (an exchange, some data) does not
 * have, before anything is opened.
 */
export function tradedSymbols(
  strategies: readonly PreparedStrategy[],
  instruments: Instruments,
  place: string,
): readonly string[] {
  const known = (text: string): boolean => instruments.find(text) !== undefined;
  const traded = new Set<string>();
  for (const strategy of strategies) {
    for (const symbol of symbolsOf(strategy, known)) {
      if (known(symbol)) {
        traded.add(symbol);
        continue;
      }
      const details = { symbol, nearest: nearest(symbol, instruments.symbols(), 3) };
      const message = `${strategy.tag}: ${notHere(symbol, instruments, place)}`;
      throw sessionErrors.make('symbol_unknown_here', message, details);
    }
  }
  return [...traded];
}

function notHere(symbol: string, instruments: Instruments, place: string): string {
  const all = instruments.symbols();
  const near = nearest(symbol, all, 3);
  const [only] = all.length === 1 ? all : near;
  const hint = near.length === 0 ? `it has ${all.join(', ')}` : `nearest: ${near.join(', ')}`;
  const flag = only === undefined ? '' : `: --param symbol=${only}`;
  return `${place} has no instrument ${symbol || '""'}; ${hint}${flag}`;
}

/** Limits under `risk.symbols` that nothing would hold, a sentence each. */
export function limitsOfNothing({ symbols }: RiskOptions, instruments: Instruments, place: string): readonly string[] {
  return Object.keys(symbols)
    .filter((symbol) => instruments.find(symbol) === undefined)
    .map((symbol) => `risk.symbols.${symbol}: ${notHere(symbol, instruments, place)}`);
}
