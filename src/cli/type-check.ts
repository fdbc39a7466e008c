/** The type check beside a strategy's start: warnings, unless `--strict`. */
import { buildId } from '../session/store/build.ts';
import { problemText, typecheckStrategy } from '../strategy/loading/typecheck.ts';

/** A sentence per problem; empty without a compiler. Never rejects. */
export async function checkTypes(files: readonly string[]): Promise<readonly string[]> {
  const results = await Promise.all(files.map((file) => typecheckStrategy(file, buildId)));
  return results.flatMap((result) =>
    result.kind === 'checked' ? result.problems.map((problem) => `type error: ${problemText(problem)}`) : [],
  );
}

/** Lines held during the check; more are written at once. */
const HELD_LINES_MAX = 1000;

/** Writes lines after the type errors that may explain them, at the latest at the check's end, in order. */
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
