/**
 * Each template as a user meets it: written into a fresh folder that has tidewire, rxjs and vitest as dependencies, type-checked
 * with its test, run by vitest there, and run over the sample.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseSpace } from '../../src/research/sweep/space.ts';
import { loadStrategy } from '../../src/strategy/loading/load.ts';
import { templates, type TemplateName } from '../../src/strategy/loading/template-files.ts';
import { problemText, typecheckStrategy } from '../../src/strategy/loading/typecheck.ts';
import { logistic } from './models/onnx-file.ts';
import { documentOf, errorOf, freshFolder, root, run, type Ended } from '../e2e/cli.ts';

const names = Object.keys(templates) as TemplateName[];
const strategyOf = (template: string): string => `strategies/own-${template}.ts`;

let cwd: string;
let written: readonly Ended[];

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'tidewire-templates-'));
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(root, join(cwd, 'node_modules', 'tidewire'));
  for (const name of ['rxjs', 'vitest', 'onnxruntime-node'])
    symlinkSync(join(root, 'node_modules', name), join(cwd, 'node_modules', name));
  writeFileSync(join(cwd, 'package.json'), '{"type": "module"}');
  written = await Promise.all(names.map((name) => run(['new', `own-${name}`, '--template', name, '--json'], { cwd })));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe('new --template', () => {
  it('templates/all/have-a-row', () => {
    expect(readdirSync(join(root, 'strategies', 'templates')).toSorted()).toEqual(names.toSorted());
  });

  it('templates/new/writes-strategy-test-and-space', () => {
    for (const [index, ended] of written.entries()) {
      expect(ended.code, ended.stderr).toBe(0);
      const template = names[index] ?? '';
      const { files, ...told } = documentOf<{ files: readonly string[] }>(ended);
      expect(told).toMatchObject({ template, typecheck: { kind: 'checked', problems: [] } });
      expect(files[0]).toBe(join(cwd, strategyOf(template)));
      const shown = files.map((file) => file.slice(`${cwd}/strategies/own-${template}`.length));
      expect(shown).toEqual(expect.arrayContaining(['.ts', '.test.ts', '.space.yaml']));
      for (const file of files) expect(readFileSync(file, 'latin1'), file).not.toContain('my-strategy');
    }
  });

  it('templates/ml/has-the-model-that-its-header-describes', () => {
    // A fall of any of the last three returns makes a rise more probable, the newest most.
    expect(readFileSync(join(cwd, 'strategies', 'own-ml.onnx'))).toEqual(Buffer.from(logistic([-200, -200, -400])));
  });

  it('templates/tests/type-check', async () => {
    const all = join(cwd, 'all.ts');
    writeFileSync(all, names.map((name) => `import './strategies/own-${name}.test.ts';\n`).join(''));
    const result = await typecheckStrategy(all);
    expect(result.kind === 'checked' ? result.problems.map(problemText) : result).toEqual([]);
  });

  it('templates/tests/pass-in-the-users-folder', () => {
    const report = join(cwd, 'report.json');
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`];
    const env: NodeJS.ProcessEnv = { ...process.env };
    for (const name of Object.keys(env)) if (name.startsWith('VITEST')) delete env[name];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).toBe(0);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly unknown[] }[];
    };
    expect(testResults.map(({ name }) => name).toSorted()).toEqual(
      names.map((name) => join(cwd, strategyOf(name).replace(/ts$/, 'test.ts'))).toSorted(),
    );
    for (const { assertionResults } of testResults) expect(assertionResults.length).toBeGreaterThan(1);
  });

  it('templates/backtest/trade-on-the-sample-and-nothing-is-denied', async () => {
    const told = await Promise.all(
      names.map(async (name) => {
        const config = name === 'p2p' ? ['--config', 'strategies/own-p2p.config.yaml'] : [];
        const data = join(root, 'data', templates[name].sample);
        const args = [...config, '--data', data, '--result', `${name}.json`, '--json'];
        const ended = await run(['backtest', strategyOf(name), ...args], { cwd });
        expect(ended.code, `${name}\n${ended.stderr}`).toBe(0);
        const { orders, warnings } = documentOf<{ orders: Record<string, number>; warnings: readonly string[] }>(ended);
        expect([name, orders['denied'], orders['rejected']]).toEqual([name, 0, 0]);
        return { name, filled: orders['filled'] ?? 0, warnings };
      }),
    );
    // Nobody answers an advertisement in a backtest.
    expect(told.filter(({ name, filled }) => name !== 'p2p' && filled === 0)).toEqual([]);
    expect(told.flatMap(({ warnings }) => warnings.filter((warning) => /denied|type error/.test(warning)))).toEqual([]);
  });

  it.each(names)('templates/space/%s-names-parameters-of-the-strategy', async (name) => {
    const { parameters } = parseSpace(
      parse(readFileSync(join(cwd, `strategies/own-${name}.space.yaml`), 'utf8')),
      name,
    );
    const { definition } = await loadStrategy(join(cwd, strategyOf(name)));
    for (const [parameter, range] of Object.entries(parameters)) {
      const ends = 'of' in range ? range.of : [range.from, range.to];
      for (const end of ends) expect(definition.params.parse({ [parameter]: end })).toHaveProperty(parameter, end);
    }
  });
});

describe('new --template refuses', () => {
  it('templates/unknown/names-the-nearest-and-writes-nothing', async () => {
    const folder = freshFolder();
    const ended = await run(['new', 'mine', '--template', 'makr', '--json'], { cwd: folder });
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({ code: 'strategy_template_unknown' });
    expect(errorOf(ended).message).toContain('did you mean maker?');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('templates/existing-test/stays-and-nothing-is-written-beside', async () => {
    const folder = freshFolder();
    mkdirSync(join(folder, 'strategies'));
    writeFileSync(join(folder, 'strategies', 'mine.test.ts'), 'kept');
    const ended = await run(['new', 'mine', '--template', 'grid', '--json'], { cwd: folder });
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({ code: 'strategy_exists' });
    expect(readdirSync(join(folder, 'strategies'))).toEqual(['mine.test.ts']);
    expect(readFileSync(join(folder, 'strategies', 'mine.test.ts'), 'utf8')).toBe('kept');
  });

  it('templates/candle/is-no-template', async () => {
    const folder = freshFolder();
    const ended = await run(['new', 'mine', '--candle', '--template', 'grid'], { cwd: folder });
    expect(ended.code).toBe(2);
    expect(readdirSync(folder)).toEqual([]);
  });
});
