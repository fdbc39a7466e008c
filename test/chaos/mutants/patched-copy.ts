/** A copy of what git tracks, in a folder of its own, with edits of its text: the tree itself is never changed. Of `run.ts`. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Edit } from '../../simulation/mutants/mutant.ts';
import { patched } from '../../simulation/mutants/patch-source.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const run = promisify(execFile);
const LINES_BYTES_MAX = 1e8;
const TESTS_MS_MAX = 600_000;

export interface TestsRun {
  readonly passed: number;
  /** The name of each that failed, and the first line of why. */
  readonly failed: readonly string[];
}

interface VitestReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

export class PatchedCopy {
  readonly #place = mkdtempSync(join(tmpdir(), 'tidewire-mutant-'));

  /** Throws where an edit does not apply. */
  async make(edits: readonly Edit[]): Promise<void> {
    const { stdout } = await run('git', ['ls-files', '-z'], { cwd: root, maxBuffer: LINES_BYTES_MAX });
    for (const file of stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
      mkdirSync(dirname(join(this.#place, file)), { recursive: true });
      cpSync(join(root, file), join(this.#place, file));
    }
    symlinkSync(join(root, 'node_modules'), join(this.#place, 'node_modules'));
    for (const edit of edits) {
      const path = join(this.#place, edit.file);
      writeFileSync(path, patched(readFileSync(path, 'utf8'), edit));
    }
  }

  /** Runs the tests of a file whose names hold the title. Throws where none ran. */
  async test(file: string, title: string): Promise<TestsRun> {
    const vitest = join(this.#place, 'node_modules', 'vitest', 'vitest.mjs');
    const report = join(this.#place, 'report.json');
    const args = [vitest, 'run', file, '-t', title, '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`];
    const said = await run(process.execPath, args, {
      cwd: this.#place,
      maxBuffer: LINES_BYTES_MAX,
      timeout: TESTS_MS_MAX,
    }).catch((thrown: unknown) => String(thrown));
    if (!existsSync(report)) throw new Error(`${file} has no report: ${JSON.stringify(said)}`);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport;
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    const failed = results
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages[0]?.split('\n')[0] ?? ''}`);
    const passed = results.filter(({ status }) => status === 'passed').length;
    if (passed + failed.length === 0) throw new Error(`${file} has no test that ran of "${title}"`);
    return { passed, failed };
  }

  remove(): void {
    rmSync(this.#place, { recursive: true, force: true });
  }
}
