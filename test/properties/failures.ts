/** Reads what failed out of vitest's JSON report: each test with the seed and the path that fast-check names. */
import { relative } from 'node:path';
import { z } from 'zod';

const reportSchema = z.object({
  numTotalTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});

export interface Failure {
  /** From the root of the project. */
  readonly file: string;
  readonly title: string;
  /** As fast-check names them; null where something other than a property failed. */
  readonly property: { readonly seed: number; readonly path: string; readonly counterexample: string } | null;
  readonly message: string;
}

/** Throws where the text is no such report. */
export function readReport(
  text: string,
  root: string,
): { readonly tests: number; readonly failures: readonly Failure[] } {
  const { numTotalTests, testResults } = reportSchema.parse(JSON.parse(text));
  const failures = testResults.flatMap(({ name, message = '', status, assertionResults }): Failure[] => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    // A file that does not load has no tests.
    if (failed.length === 0) return status === 'failed' ? [{ file, title: '', property: null, message }] : [];
    return failed.map(({ fullName, failureMessages }) => {
      const said = (failureMessages ?? []).join('\n');
      return { file, title: fullName, property: propertyOf(said), message: said };
    });
  });
  return { tests: numTotalTests, failures };
}

function propertyOf(message: string): Failure['property'] {
  const named = /\{ seed: (-?\d+), path: "([\d:]*)"/.exec(message);
  if (named === null) return null;
  const counterexample = /^Counterexample: (.*)$/m.exec(message)?.[1] ?? '';
  return { seed: Number(named[1]), path: named[2] ?? '', counterexample };
}
