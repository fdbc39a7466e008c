/**
 * `npm run strategies:evidence -- --data DIR`: runs `backtest` and `validate`, as a user would, for each strategy of the library on
 * the samples and on the real markets of DIR, then writes the findings, the headers, the page and the pictures.
 * `--only NAME` does a part of it; `--write` runs nothing and writes from the findings that there are. With `--folder DIR` an
 * interrupted run goes on where it was.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readResult } from '../../src/session/result/result.ts';
import { cases, type Case, type Trial } from './cases.ts';
import { FINDINGS_FILE, readFindings, type Finding, type Findings } from './findings.ts';
import { withEvidence } from './header.ts';
import { markets, type Import, type Market, type MarketName } from './markets.ts';
import { pictureOf } from './picture.ts';
import { libraryPage, sourceOf, STRATEGIES } from './table.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Enough for a validation of a month of minutes on a slow machine. */
const OUTPUT_MAX = 64 * 1024 * 1024;

const run = promisify(execFile);

interface Verdict {
  readonly verdict: { readonly level: string; readonly sentence: string };
  readonly research: { readonly from: number; readonly to: number };
}

interface Work {
  readonly name: string;
  readonly kind: 'sample' | 'real';
  readonly trial: Trial;
  readonly data: readonly string[];
}

const { values: options } = parseArgs({
  options: {
    data: { type: 'string' },
    folder: { type: 'string' },
    only: { type: 'string', multiple: true },
    write: { type: 'boolean' },
  },
});
const folder =
  options.folder === undefined ? mkdtempSync(join(tmpdir(), 'tidewire-evidence-')) : resolve(options.folder);
mkdirSync(folder, { recursive: true });

/** In a folder of its own, so that the ledger of the user counts none of it. */
async function tidewire(args: readonly string[]): Promise<string> {
  const command = [join(ROOT, 'bin/tidewire.js'), ...args];
  const { stdout } = await run(process.execPath, command, { cwd: folder, maxBuffer: OUTPUT_MAX });
  return stdout;
}

function fileOf(data: string, { file, rename }: Import): string {
  const path = resolve(data, file);
  if (rename === undefined) return path;
  const renamed = join(folder, `${rename}.gz`);
  const frames = gunzipSync(readFileSync(path)).toString('utf8').replaceAll('"s":"BTCUSDT"', `"s":"${rename}"`);
  writeFileSync(renamed, gzipSync(frames, { level: 1 }));
  return renamed;
}

/** The recordings of a market; undefined when its files are not there. */
async function recordingsOf(name: MarketName): Promise<readonly string[] | undefined> {
  const { recordings, imports = [] }: Market = markets[name];
  if (recordings !== undefined) return recordings.map((path) => join(ROOT, path));
  const { data } = options;
  if (data === undefined || imports.some(({ file }) => !existsSync(resolve(data, file)))) return undefined;
  const made: string[] = [];
  for (const [index, each] of imports.entries()) {
    const out = join(folder, `${name}-${index}`);
    if (!existsSync(out)) await tidewire(['data', 'import', ...each.args, fileOf(data, each), '--out', out]);
    made.push(out);
  }
  return made;
}

async function workOf({ name, sample, real }: Case): Promise<readonly Work[]> {
  if (!existsSync(join(STRATEGIES, `${name}.ts`))) return [];
  const work: Work[] = [];
  for (const [kind, trial] of [['sample', sample] as const, ['real', real] as const]) {
    const data = trial === undefined ? undefined : await recordingsOf(trial.market);
    if (trial !== undefined && data !== undefined) work.push({ name, kind, trial, data });
  }
  return work;
}

function argsOf({ name, trial, data }: Work): readonly string[] {
  const params = (trial.params ?? []).flatMap((param) => ['--param', param]);
  return [join(STRATEGIES, `${name}.ts`), '--data', ...data, ...params];
}

const resultOf = ({ name, kind }: Work): string => join(folder, `${name}-${kind}.json`);

async function verdictOf(work: Work): Promise<Verdict> {
  const kept = join(folder, `${work.name}-${work.kind}.verdict.json`);
  if (!existsSync(kept)) writeFileSync(kept, await tidewire(['validate', ...argsOf(work), '--json']));
  return JSON.parse(readFileSync(kept, 'utf8')) as Verdict;
}

async function judged(work: Work): Promise<Finding> {
  const { market, params = [] } = work.trial;
  const { verdict, research } = await verdictOf(work);
  const result = readResult(readFileSync(resultOf(work), 'utf8'), resultOf(work));
  const figure = (name: string): number => Number(result.stats[name] ?? 0);
  return {
    market,
    from: research.from,
    to: research.to,
    params: params.join(' '),
    currency: result.currency,
    netPnl: figure('netPnl'),
    fees: figure('fees'),
    trades: figure('trades'),
    level: verdict.level,
    sentence: verdict.sentence,
  };
}

function writeAll(findings: Findings, pictures: ReadonlyMap<string, Work>): void {
  mkdirSync(join(STRATEGIES, 'images'), { recursive: true });
  for (const [name, work] of pictures) {
    const { equity, currency } = readResult(readFileSync(resultOf(work), 'utf8'), name);
    writeFileSync(join(STRATEGIES, 'images', `${name}.svg`), pictureOf(equity, `${name}, ${work.kind}`, currency));
  }
  writeFileSync(FINDINGS_FILE, `${JSON.stringify(findings, null, 2)}\n`);
  for (const { name } of cases) {
    const file = join(STRATEGIES, `${name}.ts`);
    if (existsSync(file)) writeFileSync(file, withEvidence(name, sourceOf(name), findings));
  }
  writeFileSync(join(STRATEGIES, 'README.md'), libraryPage(findings));
}

async function judge(): Promise<void> {
  const chosen = cases.filter(({ name }) => options.only?.includes(name) ?? true);
  const work: Work[] = [];
  for (const each of chosen) work.push(...(await workOf(each)));
  // All are tried before the first is judged, so that each verdict counts all tries.
  for (const each of work.filter((one) => !existsSync(resultOf(one))))
    await tidewire(['backtest', ...argsOf(each), '--without-lockbox', '--result', resultOf(each), '--json']);
  const findings: Findings = readFindings();
  const pictures = new Map<string, Work>();
  for (const each of work) {
    const found = await judged(each);
    findings[each.name] = { ...findings[each.name], [each.kind]: found };
    pictures.set(each.name, each);
    process.stdout.write(`${each.name} ${each.kind}: ${found.netPnl.toFixed(2)}, ${found.sentence}\n`);
    // What was found so far stays when it is interrupted.
    writeAll(findings, pictures);
  }
}

try {
  if (options.write === true) writeAll(readFindings(), new Map());
  else await judge();
} finally {
  if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
}
