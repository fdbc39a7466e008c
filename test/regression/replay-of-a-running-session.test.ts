/** Found by an outside user: `replay` said of a session that still ran that it was killed. */
import { expect, it } from 'vitest';
import { documentOf, freshFolder, run, start, strategyFile } from '../e2e/cli.ts';
import { sessionWhen } from '../e2e/session-view.ts';

interface Report {
  readonly left: number;
  readonly first: unknown;
  readonly warnings: readonly string[];
}

it('session/replay/of-a-running-session: says that it runs, and compares what is recorded', async () => {
  const cwd = freshFolder();
  const paper = start(['paper', strategyFile('spread-maker')], { cwd });
  const { id } = await sessionWhen(paper, cwd, 'fills', ({ fills }) => fills > 2);
  const replayed = await run(['replay', '--json'], { cwd });
  expect(replayed.code, replayed.stdout).toBe(0);
  const { left, first, warnings } = documentOf<Report>(replayed);
  expect(left).toBeGreaterThan(0);
  expect(first).toBeNull();
  const text = warnings.join('\n');
  expect(text).toMatch(new RegExp(`${id} still runs \\(process \\d+\\)`));
  expect(text).not.toContain('session was killed');
  expect((await paper.signal('SIGINT')).code).toBe(0);
});
