/**
 * The type check that runs beside the start of a strategy (cli.md): its errors are warnings, unless `--strict`.
 */
import { problemText, typecheckStrategy } from '../strategy/typecheck.ts';

/** One sentence a problem; empty when all is well or the compiler is not installed. Never rejects. */
export async function checkTypes(files: readonly string[]): Promise<readonly string[]> {
  const results = await Promise.all(files.map((file) => typecheckStrategy(file)));
  return results.flatMap((result) =>
    result.kind === 'checked' ? result.problems.map((problem) => `type error: ${problemText(problem)}`) : [],
  );
}

/** What may wait for the type check; beyond it lines are written as they come. */
const HELD_LINES_MAX = 1000;

/**
 * Writes lines after the errors of the type check: a misspelt name explains the failure that follows from it. `write` is
 * called in the order of the lines, for each of them at the latest when the check is over; without a line it is not called.
 */
export function afterTypes(types: Promise<readonly string[]>, write: (text: string) => void): (text: string) => void {
  let unsaid: readonly string[] = [];
  let held: string[] | null = [];
  const say = (text: string): void => {
    const problems = unsaid.map((problem) => `warn ${problem}\n`);
    unsaid = [];
    for (const line of [...problems, text]) write(line);
  };
  const release = (): void => {
    const lines = held ?? [];
    held = null;
    lines.forEach(say);
  };
  void types.then((problems) => {
    unsaid = problems;
    release();
  });
  return (text) => {
    if (held === null) return say(text);
    held.push(text);
    if (held.length > HELD_LINES_MAX) release();
  };
}
