import { defineConfig } from 'vitest/config';

const report = process.env['TIDEWIRE_TEST_REPORT'];

/** A test of a user's strategy runs when it is named; `npm test` keeps to the project's own. */
const namesStrategies = process.argv.some((word) => /(^|\/)strategies\//.test(word));

type Reporters = [name: string & {}, options: Record<string, unknown>][];
/** Every row of the interface needs a passing test; `npm run conformance` prints the whole table. */
const rows: Reporters = [['./test/conformance/matrix/reporter.ts', { brief: true }]];
const asked: Reporters = report === undefined ? [] : [['json', { outputFile: report }]];

/** Rooms whose tests leave nothing behind: they share a process, so that each module is loaded once. */
const SHARED = 'model statistics clearing exchange streams spine reconciler treasury risk execution'
  .split(' ')
  .map((room) => `test/${room}/**/*.test.ts`);
/** Whole processes, killed, starved and installed, for half a minute and more a file: `npm run test:long`. */
const LONG = ['test/**/*.long.test.ts'];
const projects = [
  { extends: true, test: { name: 'long', include: LONG } },
  { extends: true, test: { name: 'shared', include: SHARED, isolate: false } },
  {
    extends: true,
    test: {
      name: 'own',
      include: ['test/**/*.test.ts', ...(namesStrategies ? ['strategies/*.test.ts'] : [])],
      exclude: [...SHARED, ...LONG],
    },
  },
];

export default defineConfig({
  test: {
    projects,
    setupFiles: ['test/properties/seed.ts', 'test/state-home.ts'],
    // In CI alone: many tests watch real processes, and a machine that stands still for seconds is no fault of theirs.
    retry: report === undefined ? 0 : 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // One more than the cores: many tests wait for a process of their own.
    maxWorkers: 3,
    reporters: ['default', ...rows, ...asked],
  },
});
