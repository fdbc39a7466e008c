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
