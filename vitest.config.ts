import { defineConfig } from 'vitest/config';

const report = process.env['TIDEWIRE_TEST_REPORT'];

type Reporters = [name: string & {}, options: Record<string, unknown>][];
/** Every row of the interface needs a passing test; `npm run conformance` prints the whole table. */
const rows: Reporters = [['./test/conformance/matrix/reporter.ts', { brief: true }]];
const asked: Reporters = report === undefined ? [] : [['json', { outputFile: report }]];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/properties/seed.ts', 'test/state-home.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: ['default', ...rows, ...asked],
  },
});
