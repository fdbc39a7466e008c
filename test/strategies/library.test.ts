/** The library as a whole: every file says what it must, trades on its sample, and its page is what the findings say. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cases, type Trial } from '../../docs/evidence/cases.ts';
import { readFindings } from '../../docs/evidence/findings.ts';
import { withEvidence } from '../../docs/evidence/header.ts';
import { libraryPage, sourceOf, STRATEGIES } from '../../docs/evidence/table.ts';
import { markets } from '../../docs/evidence/markets.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { parseParamTexts } from '../../src/strategy/loading/params.ts';
import { isRunnable } from './runnable.ts';

/** A draft of a user beside them is none of the library; without git all are. */
function filesOfLibrary(): readonly string[] {
  const { status, stdout } = spawnSync('git', ['ls-files'], { cwd: STRATEGIES, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n') : readdirSync(STRATEGIES);
}

const names = filesOfLibrary()
  .filter((file) => /^[^/]+\.ts$/.test(file))
  .map((file) => file.replace(/\.ts$/, ''));
const findings = readFindings();
const PICTURES_MAX = 1_000_000;

describe('the files', () => {
  it('are twenty at least, each with a case, and no case is without its file', () => {
    expect(names.length).toBeGreaterThanOrEqual(20);
    expect(cases.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
  });

  it.each(names)('%s says its source, its parameters, and when it fails', (name) => {
    const header = sourceOf(name).split('\nimport ')[0] ?? '';
    expect(header).toMatch(/\n\/\/ +npx tidewire \w+ strategies\//);
    for (const part of [/\n\/\/ Source: /, /\n\/\/ Parameters: /, /\n\/\/ It fails |\n\/\/ It is no way to earn/])
      expect(header).toMatch(part);
  });

  it('have a page and headers that are those of the findings', () => {
    for (const name of names) expect(withEvidence(name, sourceOf(name), findings)).toBe(sourceOf(name));
    expect(readFileSync(join(STRATEGIES, 'README.md'), 'utf8')).toBe(libraryPage(findings));
  });

  it('have findings for every market of their cases, from the samples at least', () => {
    for (const { name, sample, real } of cases) {
      expect(findings[name]?.sample?.market, name).toBe(sample?.market);
      expect(findings[name]?.real?.market, name).toBe(real?.market);
    }
  });

  it('have small pictures', () => {
    const folder = join(STRATEGIES, 'images');
    const pictures = readdirSync(folder);
    expect(pictures.length).toBeGreaterThanOrEqual(Object.keys(findings).length);
    const bytes = pictures.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    expect(bytes).toBeLessThan(PICTURES_MAX);
  });
});

const onSamples = cases.flatMap(({ name, sample }) =>
  sample === undefined || !isRunnable(name) ? [] : [{ name, sample }],
);

async function tried(name: string, { market, params = [] }: Trial) {
  const found = markets[market];
  return backtest({
    config: configSchema.parse({}),
    strategies: await prepareStrategies({
      file: join(STRATEGIES, `${name}.ts`),
      params: parseParamTexts(params),
      entries: [],
    }),
    data: 'recordings' in found ? found.recordings : [],
    seed: 1,
    repeat: 1,
    logger: silentLogger,
  });
}

describe('on their samples', () => {
  it.each(onSamples)('$name trades without a denial or a failure', async ({ name, sample }) => {
    const { result, failures } = await tried(name, sample);
    expect([...failures.values()]).toEqual([]);
    expect(result.fills.length).toBeGreaterThan(0);
    // A take-profit that lies beyond the collar waits until the price is nearer, and says so once.
    expect(result.denials.filter(({ reason }) => reason !== 'price_collar')).toEqual([]);
    expect(result.programs.filter(({ state }) => state === 'failed')).toEqual([]);
  });
});
