/** Parameters and figures of a result by strategy: several strategies keep theirs by tag. */
import type { RunDocument, StrategyPart } from './documents.ts';

type Params = Readonly<Record<string, unknown>>;

/** Of one strategy none: its figures are those of the result. */
export function partsOf({ strategies = [] }: Pick<RunDocument, 'strategies'>): readonly StrategyPart[] {
  return strategies.length < 2 ? [] : strategies;
}

export function paramsOf({ params = {} }: Pick<RunDocument, 'params'>, tag: string): Params {
  const own = params[tag];
  return typeof own === 'object' && own !== null ? (own as Params) : {};
}

/** By name; of several strategies by `tag name`. */
export function flatParams(document: Pick<RunDocument, 'params' | 'strategies'>): Params {
  const parts = partsOf(document);
  if (parts.length === 0) return document.params ?? {};
  return Object.fromEntries(
    parts.flatMap(({ strategy: tag }) =>
      Object.entries(paramsOf(document, tag)).map(([name, value]) => [`${tag} ${name}`, value]),
    ),
  );
}

export function paramText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '–');
}
