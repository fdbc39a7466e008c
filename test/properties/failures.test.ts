/** What `npm run properties` reads out of a report repeats the failure. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReport } from './failures.ts';

const below = fc.property(fc.integer({ min: 0, max: 1000 }), (number) => number < 500);

function reportOf(messages: readonly string[]): string {
  const test = { fullName: 'numbers stay below', status: 'failed', failureMessages: messages };
  const file = { name: '/project/test/a.test.ts', status: 'failed', assertionResults: [test] };
  return JSON.stringify({ numTotalTests: 3, testResults: [file] });
}

describe('the report of properties', () => {
  it('names seed and path of a failed property, which repeat it', () => {
    const message = fc.defaultReportMessage(fc.check(below)) ?? '';
    const { tests, failures } = readReport(reportOf([`Error: ${message}`]), '/project');
    expect(tests).toBe(3);
    const [failure] = failures;
    expect(failure).toMatchObject({ file: 'test/a.test.ts', title: 'numbers stay below' });
    const { seed, path, counterexample } = failure?.property ?? { seed: 0, path: '', counterexample: '' };
    const again = fc.check(below, { seed, path });
    expect(again.counterexample).toEqual([500]);
    expect(counterexample).toBe('[500]');
  });

  it('keeps what is no property, and a file that does not load', () => {
    expect(readReport(reportOf(['AssertionError: 1 is not 2']), '/project').failures).toMatchObject([
      { property: null, message: 'AssertionError: 1 is not 2' },
    ]);
    const broken = {
      name: '/project/test/b.test.ts',
      status: 'failed',
      message: 'no such module',
      assertionResults: [],
    };
    const report = JSON.stringify({ numTotalTests: 0, testResults: [broken] });
    expect(readReport(report, '/project').failures).toMatchObject([
      { file: 'test/b.test.ts', message: 'no such module' },
    ]);
  });

  it('draws the same for the same variable in every file', () => {
    const drawn = fc.sample(fc.integer(), 3);
    expect(fc.sample(fc.integer(), 3)).toEqual(drawn);
    expect(fc.readConfigureGlobal()?.seed).toBeTypeOf('number');
  });
});
