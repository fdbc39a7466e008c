/** The list of results: each file is read once and known by its time and size after that. */
import { readFileSync } from 'node:fs';
import { bridgeErrors } from '../errors.ts';
import type { ResultRow } from '../schemas/research.ts';
import { resultsIn, type FoundResult } from './result-file.ts';

const LISTED_MAX = 500;

interface Document {
  readonly strategy?: unknown;
  readonly currency?: unknown;
  readonly period?: { readonly from?: unknown; readonly to?: unknown };
  readonly stats?: unknown;
  readonly best?: { readonly metrics?: unknown } | null;
  readonly verdict?: unknown;
  readonly warnings?: readonly unknown[];
}

export class Results {
  readonly #folders: () => readonly string[];
  readonly #rows = new Map<string, { readonly at: number; readonly bytes: number; readonly row: ResultRow }>();

  constructor(folders: () => readonly string[]) {
    this.#folders = folders;
  }

  /** Newest first. */
  list(): readonly ResultRow[] {
    return this.#found()
      .toSorted((left, right) => right.at - left.at)
      .slice(0, LISTED_MAX)
      .flatMap((one) => this.#rowOf(one) ?? []);
  }

  /** The text of the file. Throws `bridge_unknown`. */
  text(id: string, kinds: readonly ResultRow['kind'][]): string {
    const one = this.#found().find((found) => found.id === id && kinds.includes(found.kind));
    if (one === undefined) throw bridgeErrors.make('bridge_unknown', `no result ${id.slice(0, 40)}`, { field: 'id' });
    return readFileSync(one.file, 'utf8');
  }

  #found(): readonly FoundResult[] {
    return resultsIn(this.#folders());
  }

  #rowOf(found: FoundResult): ResultRow | null {
    const known = this.#rows.get(found.id);
    if (known?.at === found.at && known.bytes === found.bytes) return known.row;
    try {
      const row = rowOf(found, JSON.parse(readFileSync(found.file, 'utf8')) as Document);
      this.#rows.set(found.id, { at: found.at, bytes: found.bytes, row });
      return row;
    } catch {
      return null;
    }
  }
}

function rowOf({ id, kind, file, at, bytes }: FoundResult, document: Document): ResultRow {
  const { strategy, currency, period, stats, best, verdict, warnings } = document;
  const numbers = stats ?? best?.metrics ?? {};
  return {
    id,
    kind,
    file,
    strategy: typeof strategy === 'string' ? strategy : '',
    from: Number(period?.from ?? 0),
    to: Number(period?.to ?? 0),
    at,
    bytes,
    currency: typeof currency === 'string' ? currency : null,
    stats: numbers as ResultRow['stats'],
    verdict: verdictText(verdict),
    warnings: warnings?.length ?? 0,
  };
}

function verdictText(verdict: unknown): string | null {
  if (typeof verdict === 'string') return verdict;
  if (typeof verdict !== 'object' || verdict === null) return null;
  const word = Object.entries(verdict).find(
    ([key, value]) => /^(word|grade|verdict)$/.test(key) && typeof value === 'string',
  );
  return word === undefined ? null : String(word[1]);
}
