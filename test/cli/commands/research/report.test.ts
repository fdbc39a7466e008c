import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CliIo } from '../../../../src/cli/command.ts';
import { build } from '../../../../src/cli/commands/research/report.ts';
import { sampleResult } from '../../../research/report/sample-result.ts';

let dir: string;
let printed: { out: string; err: string; exit: number | null };

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tidewire-report-'));
  printed = { out: '', err: '', exit: null };
  await writeFile(join(dir, 'run.json'), JSON.stringify(sampleResult()));
});

afterEach(() => rm(dir, { recursive: true }));

async function report(...argv: string[]): Promise<void> {
  const io: CliIo = {
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    isTty: false,
    env: {},
    cwd: dir,
    interrupted: new Promise(() => {}),
    exit: (code) => void (printed.exit = code),
  };
  await build(io).option('--json').parseAsync(argv, { from: 'user' });
}

test('the report is written beside the result', async () => {
  await report('run.json');
  expect(printed).toMatchObject({ err: '', exit: 0 });
  expect(printed.out).toContain(join(dir, 'run.html'));
  expect(await readFile(join(dir, 'run.html'), 'utf8')).toMatch(/^<!doctype html>/);
});

test('--out says where, --json what was done', async () => {
  await report('run.json', '--out', 'x.html', '--json');
  const page = await readFile(join(dir, 'x.html'));
  expect(JSON.parse(printed.out)).toEqual({
    command: 'report',
    result: join(dir, 'run.json'),
    report: join(dir, 'x.html'),
    bytes: page.length,
  });
});

test('several results are compared in one page beside the first', async () => {
  await writeFile(join(dir, 'other.json'), JSON.stringify({ ...sampleResult({ fillEvery: 5 }), seed: 2 }));
  await report('run.json', 'other.json', '--json');
  const page = await readFile(join(dir, 'run.compared.html'), 'utf8');
  expect(page).toContain('Comparison of 2 results');
  expect(JSON.parse(printed.out)).toMatchObject({
    results: [join(dir, 'run.json'), join(dir, 'other.json')],
    report: join(dir, 'run.compared.html'),
  });
});

test.each([
  ['a document of another command', { command: 'drift' }, ['run2.json'], /document of "drift"/],
  ['a search that is not whole', { command: 'sweep', strategy: 'x' }, ['run2.json'], /sweep --result/],
  ['a validation that is not whole', { command: 'validate' }, ['run2.json'], /validate --result/],
  ['a search beside a run', { command: 'sweep' }, ['run.json', 'run2.json'], /cannot be compared/],
])('%s is refused as such', async (_, document, argv, message) => {
  await writeFile(join(dir, 'run2.json'), JSON.stringify(document));
  await report(...argv);
  expect(printed.err).toContain('error report_kind:');
  expect(printed.err).toMatch(message);
  expect(printed.exit).toBe(2);
});

test.each([
  ['a comparison of too many', Array.from({ length: 9 }, () => 'run.json'), 'report_compare', 2],
  ['a file that is not there', ['none.json'], 'result_invalid', 2],
  ['a place that cannot be written', ['run.json', '--out', 'run.json/x.html'], 'report_unwritable', 1],
])('%s is an error with its code', async (_, argv, code, exit) => {
  await report(...argv);
  expect(printed.err).toContain(`error ${code}:`);
  expect(printed.exit).toBe(exit);
});
