/** The list of results: each file is read once and known by its time and size after that. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ResultRow } from '../schemas/research.ts';
import { resultsIn, type FoundResult } from './result-file.ts';

const LISTED_MAX = 500;

interface Document {
  readonly strategy?: unknown;
  readonly currency?: unknown;
  readonly period?: { readonly from?: unknown; readonly to?: unknown };
  readonly stats?: unknown;
  readonly best?: { readonly metrics?: unknown } | null;
  readonly study?: unknown;
  /** Of a validation. */
  readonly base?: { readonly metrics?: unknown };
  readonly verdict?: { readonly level?: unknown };
  readonly warnings?: readonly unknown[];
}

export class Results {
  readonly #folders: () => readonly string[];
  readonly #sessionOf: (file: string) => string | null;
  readonly #rows = new Map<
    string,
    { readonly at: number; readonly bytes: number; readonly row: ResultRow; readonly study: string | null }
  >();

  /** `sessionOf`: id of the session whose folder this is. */
  constructor(folders: () => readonly string[], sessionOf: (folder: string) => string | null) {
    this.#folders = folders;
    this.#sessionOf = (file) => sessionOf(dirname(file));
  }

  /** Newest first. */
  list(): readonly ResultRow[] {
    return this.#found()
      .toSorted((left, right) => right.at - left.at)
      .slice(0, LISTED_MAX)
      .flatMap((one) => this.#rowOf(one) ?? []);
  }

  /** Studies of the searches that are listed, with the time of their files. */
  studies(): ReadonlyMap<string, number> {
    const known = [...this.#rows.values()].flatMap(({ at, study }) => (study === null ? [] : [[study, at] as const]));
    return new Map(known.toSorted(([, left], [, right]) => left - right));
  }

  /** Null where there is none. */
  text(id: string, kinds: readonly ResultRow['kind'][]): string | null {
    const one = this.#found().find((found) => found.id === id && kinds.includes(found.kind));
    return one === undefined ? null : readFileSync(one.file, 'utf8');
  }

  #found(): readonly FoundResult[] {
    return resultsIn(this.#folders());
  }

  #rowOf(found: FoundResult): ResultRow | null {
    const known = this.#rows.get(found.id);
    if (known?.at === found.at && known.bytes === found.bytes) return known.row;
    try {
      const document = JSON.parse(readFileSync(found.file, 'utf8')) as Document;
      const row = rowOf(found, document, this.#sessionOf(found.file));
      const study = typeof document.study === 'string' ? document.study : null;
      this.#rows.set(found.id, { at: found.at, bytes: found.bytes, row, study });
      return row;
    } catch {
      return null;
    }
  }
}

function rowOf({ id, kind, file, at, bytes }: FoundResult, document: Document, session: string | null): ResultRow {
  const { strategy, currency, period, stats, best, base, verdict, warnings } = document;
  const numbers = stats ?? best?.metrics ?? base?.metrics ?? {};
  return {
    id,
    kind,
    file,
    session,
    strategy: typeof strategy === 'string' ? strategy : '',
    from: Number(period?.from ?? 0),
    to: Number(period?.to ?? 0),
    at,
    bytes,
    currency: typeof currency === 'string' ? currency : null,
    stats: numbers as ResultRow['stats'],
    verdict: typeof verdict?.level === 'string' ? verdict.level : null,
    warnings: warnings?.length ?? 0,
    progress: null,
  };
}
