/**
 * Type-checks a strategy file with tsc in a separate process, with own types for `tidewire` and `rxjs`. Problems of own
 * files only. Never rejects.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../model/errors.ts';
import { CleanTypes } from './clean-types.ts';
import { shownPath } from '../running/failure.ts';
import { strategyHash } from './hash.ts';
import { localFiles } from './local-imports.ts';
import { packageRoot } from './native-import.ts';

export interface TypeProblem {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `TS2551: Property 'midd' does not exist …`. */
  readonly message: string;
}

export type TypecheckResult =
  | { readonly kind: 'checked'; readonly problems: readonly TypeProblem[] }
  /** TypeScript is a development dependency. */
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Of the sources, or of what is compiled of them and its types. */
const SOURCE = fileURLToPath(new URL('../..', import.meta.url));
const OUTPUT_CHARS_MAX = 1_000_000;
const DEADLINE_MS = 60_000;

/** Of a clone, and of a user who has installed TypeScript beside the package. */
const COMPILERS = ['@typescript/native', 'typescript'] as const;

function folderOf(name: string, root: string = packageRoot): string | undefined {
  try {
    return dirname(createRequire(join(root, 'package.json')).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

/** Undefined when not installed. */
export function compilerPath(root: string = packageRoot): string | undefined {
  const folder = COMPILERS.map((name) => folderOf(name, root)).find((found) => found !== undefined);
  return folder === undefined ? undefined : join(folder, 'bin', 'tsc');
}

/** Ignores the folder's own configuration. */
function compilerConfig(file: string): object {
  const [rxjs, node] = [folderOf('rxjs'), folderOf('@types/node')];
  return {
    extends: join(packageRoot, 'tsconfig.json'),
    compilerOptions: {
      module: 'esnext',
      moduleResolution: 'bundler',
      noUnusedLocals: false,
      noUnusedParameters: false,
      // An installed package brings no types of Node.
      ...(node === undefined ? { types: [] } : { typeRoots: [dirname(node)] }),
      paths: {
        tidewire: [join(SOURCE, 'index')],
        'tidewire/testing': [join(SOURCE, 'testing', 'index')],
        ...(rxjs === undefined ? {} : { rxjs: [rxjs], 'rxjs/*': [join(rxjs, '*')] }),
      },
    },
    files: [file],
    include: [],
  };
}

const PROBLEM = /^(.+?)\((\d+),(\d+)\): error (TS\d+: .*)$/;

/** `cwd`: base of its paths. */
export function parseProblems(output: string, cwd: string): readonly TypeProblem[] {
  const problems: TypeProblem[] = [];
  for (const line of output.split('\n')) {
    const match = PROBLEM.exec(line);
    const last = problems.at(-1);
    if (match !== null) {
      const [, file = '', row, column, message = ''] = match;
      problems.push({ file: resolve(cwd, file), line: Number(row), column: Number(column), message });
    } else if (last !== undefined && /^\s+\S/.test(line)) {
      problems[problems.length - 1] = { ...last, message: `${last.message} ${line.trim()}` };
    }
  }
  return problems;
}

interface CompilerRun {
  readonly code: number | null;
  readonly output: string;
}

function runCompiler(compiler: string, config: string, cwd: string): Promise<CompilerRun> {
  return new Promise((resolveRun, reject) => {
    const args = [compiler, '--noEmit', '--pretty', 'false', '-p', config];
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], timeout: DEADLINE_MS });
    let output = '';
    const take = (chunk: Buffer): void => {
      if (output.length < OUTPUT_CHARS_MAX) output += chunk.toString('utf8');
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', reject);
    child.on('close', (code) => resolveRun({ code, output }));
  });
}

/** The oldest are dropped. */
const REMEMBERED = 64;
const remembered = new Map<string, Promise<TypecheckResult>>();

/** With local imports; unchanged files once a process, and while `build` is the same those without problems once for all. */
export async function typecheckStrategy(path: string, build?: () => string): Promise<TypecheckResult> {
  const file = resolve(path);
  const code = strategyHash(file);
  const key = `${file} ${code}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const checking = build === undefined ? check(file) : checkUnlessClean(file, code, build);
  remembered.set(key, checking);
  const oldest = remembered.keys().next().value;
  if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  const verdict = await checking;
  if (verdict.kind !== 'checked') remembered.delete(key);
  return verdict;
}

async function checkUnlessClean(file: string, code: string, build: () => string): Promise<TypecheckResult> {
  const compiler = compilerPath();
  if (compiler === undefined) return check(file);
  const settings = [join(dirname(dirname(compiler)), 'package.json'), join(packageRoot, 'tsconfig.json')];
  const salt = [build(), ...settings.map((each) => readFileSync(each, 'utf8'))].join('\n');
  const clean = new CleanTypes(join(packageRoot, 'node_modules', '.cache', 'tidewire', 'types'), salt);
  const key = clean.key(code, localFiles(file));
  if (key !== undefined && clean.has(key)) return { kind: 'checked', problems: [] };
  const verdict = await check(file);
  if (key !== undefined && verdict.kind === 'checked' && verdict.problems.length === 0) clean.add(key);
  return verdict;
}

async function check(file: string): Promise<TypecheckResult> {
  const compiler = compilerPath();
  if (compiler === undefined) {
    return { kind: 'absent', reason: 'the TypeScript compiler is not installed, so the strategy was not type-checked' };
  }
  const own = new Set(localFiles(file));
  let folder: string | undefined;
  try {
    folder = await mkdtemp(join(tmpdir(), 'tidewire-typecheck-'));
    const config = join(folder, 'tsconfig.json');
    await writeFile(config, JSON.stringify(compilerConfig(file)));
    const { code, output } = await runCompiler(compiler, config, folder);
    const all = parseProblems(output, folder);
    const problems = all.filter((problem) => own.has(problem.file));
    if (code === 0 || problems.length > 0 || all.length > 0) return { kind: 'checked', problems };
    return { kind: 'failed', reason: `the TypeScript compiler ended with ${code}: ${output.slice(0, 500).trim()}` };
  } catch (thrown) {
    return { kind: 'failed', reason: `the TypeScript compiler could not be run: ${messageOf(thrown)}` };
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** `strategies/x.ts:4:9: TS2322: …` */
export function problemText(problem: TypeProblem): string {
  return `${shownPath(problem.file)}:${problem.line}:${problem.column}: ${problem.message}`;
}
