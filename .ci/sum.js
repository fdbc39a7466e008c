// Prints the plain sum of two vitest JSON reports and of lines of the simulator, and ends with 1 when anything failed. A run that
// broke before its tests counts as one failure. Of the simulator each seed counts once, and the rare states, of which either slice
// is to reach each, as one.
import { readFileSync } from 'node:fs';

const [report, status, long, longStatus, slice, crowded, programs, transfers, money] = process.argv.slice(2);

function ofTests(report, status) {
  try {
    const {
      numPassedTests,
      numFailedTests,
      numFailedTestSuites,
      testResults = [],
    } = JSON.parse(readFileSync(report, 'utf8'));
    for (const each of testResults) nameFailures(each);
    const failed = Math.max(numFailedTests, numFailedTestSuites > 0 && numFailedTests === 0 ? 1 : 0);
    const isBroken = status !== '0' && failed === 0;
    if (isBroken)
      console.log(`every test passed, and the test command ended with ${status}: a check or a report above failed`);
    return { passed: numPassedTests, failed: isBroken ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

// A log may be kept by its end alone, so what failed is named there once more.
function nameFailures({ name, status, message, assertionResults }) {
  const failures = assertionResults.filter((test) => test.status === 'failed');
  for (const { fullName, failureMessages } of failures)
    console.log(`failed: ${name} > ${fullName}\n  ${firstLines(failureMessages[0])}`);
  if (status === 'failed' && failures.length === 0) console.log(`failed: ${name}\n  ${firstLines(message)}`);
}

const firstLines = (text = '') => text.split('\n').slice(0, 6).join('\n  ');

function ofSeeds(path) {
  try {
    const { seeds, violations } = JSON.parse(readFileSync(path, 'utf8'));
    for (const { seed, replay } of violations) console.log(`seed ${seed} violates a law: ${replay}`);
    return { passed: seeds - violations.length, failed: violations.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

function ofRareStates(paths) {
  try {
    const [first, ...others] = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')).unreached);
    const unreached = first.filter((name) => others.every((names) => names.includes(name)));
    for (const name of unreached) console.log(`no seed reached: ${name}`);
    return unreached.length === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const results = [
  ofTests(report, status),
  ofTests(long, longStatus),
  ofSeeds(slice),
  ofRareStates([slice, crowded]),
  ofSeeds(crowded),
  ofSeeds(programs),
  ofSeeds(transfers),
  ofSeeds(money),
];
const passed = results.reduce((sum, each) => sum + each.passed, 0);
const failed = results.reduce((sum, each) => sum + each.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
