// Prints the plain sum of a vitest JSON report and of the simulator's line, and ends with 1 when anything failed. A run that
// broke before its tests counts as one failure. Of the simulator each seed counts once, and its rare states as one.
import { readFileSync } from 'node:fs';

const [report, slice, status] = process.argv.slice(2);

function ofTests() {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
    const failed = Math.max(numFailedTests, numFailedTestSuites > 0 && numFailedTests === 0 ? 1 : 0);
    return { passed: numPassedTests, failed: status !== '0' && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

function ofSimulation() {
  try {
    const { seeds, violations, unreached } = JSON.parse(readFileSync(slice, 'utf8'));
    for (const { seed, replay } of violations) console.log(`seed ${seed} violates a law: ${replay}`);
    for (const name of unreached) console.log(`no seed reached: ${name}`);
    const isShort = unreached.length > 0;
    return { passed: seeds - violations.length + (isShort ? 0 : 1), failed: violations.length + (isShort ? 1 : 0) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const results = [ofTests(), ofSimulation()];
const passed = results.reduce((sum, each) => sum + each.passed, 0);
const failed = results.reduce((sum, each) => sum + each.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
