/**
 * `npm run conformance`: after the tests of test/conformance it prints row → tests → pass, from what their raw client
 * really met, with totals by provenance. The process ends non-zero when a row lacks a passing test, or when an operation
 * refused with a code that its row does not list. In the whole suite the same is held, and only what is wrong and the
 * totals are printed; a run of some of the files says nothing.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { factsOf } from './facts.ts';
import { isUnlisted, requirements, type Requirement } from './requirements.ts';

interface Witnesses {
  readonly passed: Set<string>;
  readonly failed: Set<string>;
}

/** Tests by the facts that they met. */
function gather(modules: readonly TestModule[]): ReadonlyMap<string, Witnesses> {
  const byFact = new Map<string, Witnesses>();
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const name = `${module.relativeModuleId} > ${test.fullName}`;
      const passed = test.result().state === 'passed';
      for (const fact of (test.meta().sightings ?? []).flatMap(factsOf)) {
        const found = byFact.get(fact) ?? { passed: new Set(), failed: new Set() };
        byFact.set(fact, found);
        (passed ? found.passed : found.failed).add(name);
      }
    }
  }
  return byFact;
}

interface Line {
  readonly requirement: Requirement;
  readonly met: number;
  readonly tests: number;
  readonly missing: readonly string[];
}

function judge(requirement: Requirement, byFact: ReadonlyMap<string, Witnesses>): Line {
  const missing: string[] = [];
  const tests = new Set<string>();
  for (const { name, anyOf } of requirement.outcomes) {
    const passed = anyOf.flatMap((fact) => [...(byFact.get(fact)?.passed ?? [])]);
    if (passed.length === 0) missing.push(name);
    for (const test of passed) tests.add(test);
  }
  return { requirement, met: requirement.outcomes.length - missing.length, tests: tests.size, missing };
}

function textOf({ requirement, met, tests, missing }: Line): string {
  const { kind, row, provenance, outcomes } = requirement;
  const verdict = missing.length === 0 ? 'pass' : `MISSING ${missing.join(', ')}`;
  const counts = `${`${met}/${outcomes.length}`.padStart(6)} ${String(tests).padStart(5)}`;
  return `${provenance.padEnd(11)}${kind.padEnd(18)}${row.padEnd(58)}${counts}  ${verdict}`;
}

function totalOf(lines: readonly Line[], provenance: string): string {
  const rows = lines.filter(({ requirement }) => requirement.provenance === provenance);
  const outcomes = rows.reduce((sum, { requirement }) => sum + requirement.outcomes.length, 0);
  const met = rows.reduce((sum, line) => sum + line.met, 0);
  const whole = rows.filter(({ missing }) => missing.length === 0).length;
  return `${provenance} ${whole}/${rows.length} rows (${met}/${outcomes} outcomes)`;
}

const FOLDER = join(import.meta.dirname, '..');

/** Whether every file of the folder was run. */
function isWhole(modules: readonly TestModule[]): boolean {
  const run = new Set(modules.map(({ moduleId }) => basename(moduleId)));
  return readdirSync(FOLDER).every((file) => !file.endsWith('.test.ts') || run.has(file));
}

export interface CoverageOptions {
  /** Print the totals and what is missing alone. */
  readonly brief?: boolean;
}

export default class CoverageReporter implements Reporter {
  readonly #brief: boolean;

  constructor({ brief = false }: CoverageOptions = {}) {
    this.#brief = brief;
  }

  /** Other folders use the raw client, too, against sandboxes whose paths were moved: what they meet does not count. */
  onTestRunEnd(all: readonly TestModule[]): void {
    const modules = all.filter(({ moduleId }) => moduleId.startsWith(FOLDER));
    if (this.#brief && !isWhole(modules)) return;
    const byFact = gather(modules);
    const lines = requirements.map((requirement) => judge(requirement, byFact));
    const head = `${'provenance'.padEnd(11)}${'kind'.padEnd(18)}${'row'.padEnd(58)}${'met'.padStart(6)} tests`;
    const unlisted = [...byFact.keys()].filter(isUnlisted).map((fact) => `not in the table: ${fact}`);
    const missing = lines.filter((line) => line.missing.length > 0);
    const totals = `conformance: ${totalOf(lines, 'documented')}, ${totalOf(lines, 'assumed')}`;
    const again = missing.length === 0 ? [] : ['', 'rows without a passing test:', ...missing.map(textOf)];
    const table = this.#brief ? [] : ['', head, ...lines.map(textOf)];
    process.stdout.write(`${[...table, ...again, ...unlisted, '', totals, ''].join('\n')}\n`);
    if (missing.length > 0 || unlisted.length > 0) process.exitCode = 1;
  }
}
