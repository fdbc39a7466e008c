/** Loads strategies. A file on the command line runs alone. */
import { resolve } from 'node:path';
import type { StopPolicy } from '../model/trading/action.ts';
import type { StrategyLimits } from '../risk/options.ts';
import { limitsSchema } from '../risk/options.ts';
import type { Instruments } from '../model/market/instrument.ts';
import { nearest } from '../model/text/nearest.ts';
import { loadStrategy, type LoadedStrategy } from '../strategy/loading/load.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import { requirePlainParams, resolveParams, type ParamValues } from '../strategy/loading/params.ts';
import type { StrategyEntry } from './config/schema.ts';
import { sessionErrors } from './errors.ts';

export interface PreparedStrategy {
  readonly loaded: LoadedStrategy;
  readonly file: string;
  readonly tag: string;
  /** Plain JSON values. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly limits: StrategyLimits;
  readonly onStop: StopPolicy;
}

export interface StrategyChoice {
  /** Undefined: all configured entries. */
  readonly file: string | undefined;
  /** `--param k=v`; overrides the configuration. */
  readonly params: Readonly<Record<string, string>>;
  readonly entries: readonly StrategyEntry[];
  /** Absent: deterministic. */
  readonly inRealTime?: boolean;
  readonly resolve?: (
    definition: StrategyDefinition,
    values: ParamValues,
    texts: Readonly<Record<string, string>>,
  ) => ParamValues;
}

export function entriesOf({ file, entries }: Pick<StrategyChoice, 'file' | 'entries'>): readonly StrategyEntry[] {
  if (file === undefined) return entries;
  const path = resolve(file);
  const known = entries.find((entry) => resolve(entry.file) === path);
  return [known ?? entryFor(file)];
}

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

/** A sentence each. */
export function importWarnings(strategies: readonly PreparedStrategy[]): string[] {
  return strategies.flatMap(({ tag, loaded }) => loaded.warnings.map((warning) => `${tag}: ${warning}`));
}

/** Set while loading; the last wins. */
export function ownNamesOf(strategies: readonly PreparedStrategy[]): LoadedStrategy['ownNames'] {
  return new Map(strategies.flatMap(({ loaded }) => [...loaded.ownNames]));
}

/** These always hold symbols. */
const SYMBOL_NAMES: ReadonlySet<string> = new Set(['symbol', 'symbols']);

/** The strategy's list, else parameters that name instruments. */
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

/** Throws `symbol_unknown_here`. */
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
      const { name, others } = givenAs(symbol, strategy.params);
      const free = instruments.symbols().filter((each) => !others.has(each));
      const details = { symbol, nearest: nearest(symbol, free, 3) };
      const [only] = free.length === 1 ? free : details.nearest;
      const flag = name === undefined || only === undefined ? '' : `: --param ${name}=${only}`;
      const named = name === undefined || flag !== '' ? '' : `; the parameter ${name} names ${symbol}`;
      const message = `${strategy.tag}: ${notHere(symbol, instruments, place, free)}${flag}${named}`;
      throw sessionErrors.make('symbol_unknown_here', message, details);
    }
  }
  return [...traded];
}

/** The parameter that is this symbol, and what the others are. */
function givenAs(symbol: string, params: PreparedStrategy['params']): { name?: string; others: Set<unknown> } {
  const [name] = Object.entries(params).find(([, value]) => value === symbol) ?? [];
  const others = Object.entries(params).flatMap(([other, value]) => (other === name ? [] : [value].flat()));
  return { ...(name === undefined ? {} : { name }), others: new Set(others) };
}

/** `proposed`: those that may stand for it. */
export function notHere(
  symbol: string,
  instruments: Instruments,
  place: string,
  proposed: readonly string[] = instruments.symbols(),
): string {
  const near = nearest(symbol, proposed, 3);
  const hint = near.length === 0 ? `it has ${instruments.symbols().join(', ')}` : `nearest: ${near.join(', ')}`;
  return `${place} has no instrument ${symbol || '""'}; ${hint}`;
}
