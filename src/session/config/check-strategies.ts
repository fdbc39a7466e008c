/** Checks the configured strategies as a start does. */
import { isTidewireError } from '../../model/errors.ts';
import { prepareStrategies, type PreparedStrategy } from '../strategies.ts';
import type { ConfigPath } from './document.ts';
import { invalidConfig, type ConfigPlaces, type ConfigProblem } from './invalid.ts';
import type { StrategyEntry } from './schema.ts';

/** A start asks the same, once it knows the instruments. */
function askDefinition({ loaded: { definition }, params }: PreparedStrategy): void {
  definition.symbols(params);
  definition.candleNeeds(params);
  definition.history(params);
}

async function tagOf(entry: StrategyEntry, path: ConfigPath): Promise<string | ConfigProblem> {
  try {
    const [prepared] = await prepareStrategies({ file: undefined, params: {}, entries: [entry], inRealTime: true });
    if (prepared !== undefined) askDefinition(prepared);
    return prepared?.tag ?? '';
  } catch (thrown) {
    if (!isTidewireError(thrown)) throw thrown;
    const { code, message } = thrown;
    if (code.startsWith('strategy_param_')) return { path: [...path, 'params'], message };
    return { path: [...path, 'file'], message: `${JSON.stringify(entry.file)}: ${message}` };
  }
}

/** Throws `config_invalid`. */
export async function checkStrategies(entries: readonly StrategyEntry[], places: ConfigPlaces): Promise<void> {
  const problems: ConfigProblem[] = [];
  const tags = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const path = ['strategies', index];
    const tag = await tagOf(entry, path);
    if (typeof tag !== 'string') {
      problems.push(tag);
      continue;
    }
    const other = tags.get(tag);
    tags.set(tag, index);
    if (other === undefined) continue;
    const own = entry.tag === undefined ? 'file' : 'tag';
    problems.push({
      path: [...path, own],
      message: `strategies.${other} has the tag ${tag}, too; give one of them another tag`,
    });
  }
  if (problems.length === 0) return;
  const named = problems.map(({ path, message }) => ({ path, message: `${path.join('.')}: ${message}` }));
  throw invalidConfig(named, places);
}
