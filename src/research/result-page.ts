/** The page of a result file; several run results give a comparison. Pure. */
import { messageOf } from '../model/errors.ts';
import { readResult } from '../session/result/result.ts';
import { researchErrors } from './errors.ts';
import { renderComparison } from './report/compare/render.ts';
import { renderReport } from './report/render.ts';
import { renderSweep } from './sweep/report/render.ts';
import type { SweepResult } from './sweep/result.ts';
import { renderValidation } from './validate/report/render.ts';
import type { ValidationResult } from './validate/result.ts';

export interface ResultFile {
  /** Name in errors. */
  readonly path: string;
  /** Name in a comparison. */
  readonly name: string;
  readonly text: string;
}

/** By the document's `command`; others are runs. */
const pages: Readonly<Record<string, (document: object) => string>> = {
  // Own output; a wrong shape is an error of the file.
  sweep: (document) => renderSweep(document as SweepResult),
  validate: (document) => renderValidation(document as ValidationResult),
};
const RUNS: readonly string[] = ['backtest', 'paper', 'run'];

/** @throws `report_kind`, `result_invalid`, `report_asset` */
export function resultPage(files: readonly ResultFile[]): string {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return pageOf(only);
  return renderComparison(
    files.map(({ path, name, text }) => {
      const kind = kindOf(text);
      if (kind !== null && Object.hasOwn(pages, kind))
        throw wrongKind(path, kind, `a ${kind} cannot be compared with other results`);
      return { name, result: runOf(path, text) };
    }),
  );
}

function pageOf({ path, text }: ResultFile): string {
  const kind = kindOf(text);
  const render = kind === null || !Object.hasOwn(pages, kind) ? undefined : pages[kind];
  if (kind === null || render === undefined) return renderReport(runOf(path, text));
  try {
    return render(JSON.parse(text) as object);
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    const message = `${path} is not whole; give the file that \`${kind} --result\` wrote: ${messageOf(thrown)}`;
    throw researchErrors.make('report_kind', message, { path, kind }, thrown);
  }
}

function runOf(path: string, text: string): ReturnType<typeof readResult> {
  const kind = kindOf(text);
  if (kind !== null && !RUNS.includes(kind)) {
    throw wrongKind(path, kind, `there are pages of ${[...RUNS, ...Object.keys(pages)].join(', ')}`);
  }
  return readResult(text, path);
}

function wrongKind(path: string, kind: string, why: string): Error {
  return researchErrors.make('report_kind', `${path} is the document of ${JSON.stringify(kind)}: ${why}`, {
    path,
    kind,
  });
}

/** Null without `command` or JSON; `readResult` reports that. */
function kindOf(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('command' in value)) return null;
    return typeof value.command === 'string' ? value.command : null;
  } catch {
    return null;
  }
}
