// Prints the plain sum of a vitest JSON report as the last line; a run that broke before its tests counts as one failure.
import { readFileSync } from 'node:fs';

const [report, status] = process.argv.slice(2);
let passed = 0;
let failed = 0;
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  passed = numPassedTests;
  failed = Math.max(numFailedTests, numFailedTestSuites > 0 && numFailedTests === 0 ? 1 : 0);
} catch {
  failed = 1;
}
if (status !== '0' && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
