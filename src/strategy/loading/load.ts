/** Loads a strategy file afresh. Each failure is its own error with file and line. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { messageOf, type TidewireError } from '../../model/errors.ts';
import { nearest } from '../../model/text/nearest.ts';
import { describe } from '../action-shape.ts';
import { isStrategyDefinition, type StrategyDefinition } from '../definition.ts';
import { strategyErrors } from '../errors.ts';
import { shownPath } from '../running/failure.ts';
import { codeHash, ownFiles } from './hash.ts';
import { publishReader } from '../inputs/file.ts';
import type { InputLog } from '../inputs/input-log.ts';
import { inputReader } from '../inputs/open-input.ts';
import type { ModuleGraph } from '../inputs/module-graph.ts';
import { locate, stackOf, type SourceLocation } from './location.ts';
import { importFresh, loadShared, newGraph } from './native-import.ts';
import { hidePrototypeKeys } from '../traps/prototype-keys.ts';
import { keepProcessAtImport } from '../traps/process-end.ts';
import type { OwnNames } from '../traps/shared-objects.ts';
import { tellImport } from '../traps/told-files.ts';
import { trapImport, type TrappedImport } from '../traps.ts';

export interface LoadedStrategy {
  readonly definition: StrategyDefinition;
  /** Absolute path. */
  readonly file: string;
  /** The strategy's file and its local imports. */
  readonly files: ReadonlySet<string>;
  /** Those and the imported packages. */
  readonly modules: Pick<ReadonlySet<string>, 'has'>;
  /** Bytes of their sources. */
  readonly bytes: number;
  /** SHA-256 of all modules, hex. */
  readonly hash: string;
  /** At load and while running. Backtests only. */
  readonly inputs: InputLog;
  /** New `globalThis` names; a backtest restores them. */
  readonly ownNames: OwnNames;
  /** Uses that a backtest replaces, one sentence a kind. */
  readonly warnings: readonly string[];
}

export interface LoadOptions {
  /** For a real-time session: nothing is replaced. */
  readonly inRealTime?: boolean;
}

const ENDINGS: readonly string[] = ['.ts', '.mts', '.js', '.mjs'];
/** The loader has its own words for these. */
const OF_COMMON_JS: readonly string[] = ['.cts', '.cjs'];

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => ENDINGS.includes(extname(name)));
  } catch {
    return [];
  }
}

function notFound(path: string, file: string): TidewireError {
  const folders = [...new Set([dirname(file), resolve('strategies')])];
  const known = new Map(
    folders.flatMap((folder) => namesIn(folder).map((name) => [name, shownPath(join(folder, name))] as const)),
  );
  const near = nearest(
    basename(file, extname(file)),
    [...known.keys()].map((name) => basename(name, extname(name))),
    3,
  );
  const paths = [...known].filter(([name]) => near.includes(basename(name, extname(name)))).map(([, shown]) => shown);
  const hint = paths.length > 0 ? `; did you mean ${paths.join(' or ')}?` : '';
  return strategyErrors.make('strategy_not_found', `there is no strategy file ${path}${hint}`, {
    path,
    nearest: paths,
  });
}

/** Throws `strategy_not_code`. */
function requireCode(path: string): void {
  const ending = extname(path);
  if (ending === '' || ENDINGS.includes(ending) || OF_COMMON_JS.includes(ending)) return;
  throw strategyErrors.make('strategy_not_code', `${path} is no strategy: it ends with ${ending}, not with .ts`, {
    path,
  });
}

/** Loader errors start with `file:line`, the line and a caret. */
function headOf(thrown: unknown): (SourceLocation & { readonly text: string }) | undefined {
  const lines = (stackOf(thrown) ?? '').split('\n');
  const head = /^(?:file:\/\/)?(\/[^:]*?|[A-Za-z]:[^:]*?)(?:\?[^:]*)?:(\d+)$/.exec(lines[0] ?? '');
  if (head === null) return undefined;
  const caret = lines.findIndex((line, index) => index > 0 && /^\s*\^+\s*$/.test(line));
  const column = caret < 0 ? 1 : (lines[caret] ?? '').indexOf('^') + 1;
  return { file: head[1] ?? '', line: Number(head[2]), column, text: lines[caret - 1] ?? lines[1] ?? '' };
}

function lineOf(file: string, line: number): string {
  try {
    return readFileSync(file, 'utf8').split('\n')[line - 1] ?? '';
  } catch {
    return '';
  }
}

/** The own import that names `missing`. */
function importOf(files: ReadonlySet<string>, missing: string): SourceLocation | undefined {
  const name = basename(missing);
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').split('\n');
    const index = lines.findIndex((line) => /\b(?:from|import)\b/.test(line) && line.includes(name));
    if (index >= 0) return { file, line: index + 1, column: (lines[index] ?? '').indexOf(name) + 1 };
  }
  return undefined;
}

function placed(
  code: keyof typeof strategyErrors.rows,
  place: SourceLocation | undefined,
  message: string,
  thrown: unknown,
): TidewireError {
  if (place === undefined) return strategyErrors.make(code, message, {}, thrown);
  const { file, line, column } = place;
  const text = lineOf(file, line).trim();
  const quoted = text === '' ? '' : `\n    ${text}`;
  return strategyErrors.make(
    code,
    `${shownPath(file)}:${line}:${column}: ${message}${quoted}`,
    { file, line, column, text },
    thrown,
  );
}

const IMPORT_CODES: readonly unknown[] = [
  'ERR_MODULE_NOT_FOUND',
  'ERR_PACKAGE_PATH_NOT_EXPORTED',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_IMPORT_ATTRIBUTE_MISSING',
];

function importFailure(thrown: unknown, files: ReadonlySet<string>): TidewireError {
  const message = messageOf(thrown);
  const code = (thrown as { readonly code?: unknown } | null)?.code;
  if (IMPORT_CODES.includes(code)) {
    const missing = /'([^']+)'| for (\/.+)$|"file:\/\/([^"?]+)/.exec(message)?.slice(1).find(Boolean) ?? '';
    const hint =
      code === 'ERR_MODULE_NOT_FOUND' && missing.startsWith('/') && extname(missing) === ''
        ? '; write the extension .ts'
        : '';
    return placed('strategy_import_failed', importOf(files, missing), `${message}${hint}`, thrown);
  }
  const head = headOf(thrown);
  if (thrown instanceof SyntaxError || (thrown as { readonly name?: unknown } | null)?.name === 'SyntaxError') {
    const missingExport = message.includes('does not provide an export named');
    return placed(missingExport ? 'strategy_import_failed' : 'strategy_unreadable', head, message, thrown);
  }
  const common = /^(module|exports|require) is not defined in ES module scope/.exec(message);
  if (common !== null)
    return placed(
      common[1] === 'require' ? 'strategy_import_failed' : 'strategy_no_default_export',
      locate(stackOf(thrown), files) ?? head,
      `${common[1]} is of CommonJS; a strategy file is an ES module`,
      thrown,
    );
  if (code === 'strategy_shared_state') return thrown as TidewireError;
  const known = Object.keys(strategyErrors.rows) as (keyof typeof strategyErrors.rows)[];
  const place = locate(stackOf(thrown), files) ?? head;
  return placed(known.find((row) => row === code) ?? 'strategy_threw', place, `threw at import: ${message}`, thrown);
}

/** Node's name for CommonJS exports. */
const COMMON_JS = 'module.exports';

/** Without import and export Node takes CommonJS, with a made-up default. */
function isEmptyCommonJs(exports: Readonly<Record<string, unknown>>): boolean {
  const value = exports['default'];
  return COMMON_JS in exports && typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

type Imported = TrappedImport<Readonly<Record<string, unknown>>>;

/** One import at a time owns traps and inputs. */
let importing: Promise<unknown> = Promise.resolve();

function imported(file: string, files: ReadonlySet<string>, graph: ModuleGraph): Promise<Imported> {
  const own = async (): Promise<Imported> => {
    if (!graph.inRealTime) return trapImport({ files, graph }, () => importFresh(file, graph));
    const isOwn = (stack: string): boolean => locate(stack, graph.files) !== undefined;
    const guarded = () => keepProcessAtImport(isOwn, () => importFresh(file, graph));
    const { value, warnings } = await tellImport(files, guarded);
    const hidden = hidePrototypeKeys().map(
      (key) => `something that it imports adds Object.prototype.${key}, which a backtest refuses`,
    );
    return { value, warnings: [...warnings, ...hidden], ownNames: new Map() };
  };
  const answer = importing.then(own);
  importing = answer.catch(() => {});
  return answer;
}

/**
 * @param path as the user gave it, relative to the working directory.
 * @throws strategy_not_found, strategy_not_code, strategy_unreadable, strategy_import_failed, strategy_threw, strategy_nondeterministic,
 * strategy_shared_state, strategy_no_default_export, strategy_wrong_export, strategy_definition
 */
export async function loadStrategy(path: string, options: LoadOptions = {}): Promise<LoadedStrategy> {
  const file = resolve(path);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw notFound(path, file);
  requireCode(path);
  await loadShared();
  publishReader(inputReader);
  const own = ownFiles(file);
  const files = new Set(own.keys());
  const graph = newGraph(file, options.inRealTime ?? false);
  let answer: Awaited<ReturnType<typeof imported>>;
  try {
    answer = await imported(file, files, graph);
  } catch (thrown) {
    throw importFailure(thrown, files);
  }
  const { value: exports, warnings, ownNames } = answer;
  if (!('default' in exports) || isEmptyCommonJs(exports)) {
    const others = Object.keys(exports).filter((name) => name !== 'default' && name !== COMMON_JS);
    const has = others.length === 0 ? 'no export at all' : `only ${others.join(', ')}`;
    throw strategyErrors.make('strategy_no_default_export', `${shownPath(file)} has no default export, ${has}`, {
      file,
    });
  }
  const definition = exports['default'];
  if (!isStrategyDefinition(definition)) {
    throw strategyErrors.make(
      'strategy_wrong_export',
      `the default export of ${shownPath(file)} is not a strategy but ${describe(definition)}`,
      { file },
    );
  }
  for (const loaded of graph.files.keys()) if (!loaded.includes('/node_modules/')) files.add(loaded);
  const hash = codeHash(dirname(file), new Map([...own, ...graph.files]));
  const { inputs, bytes } = graph;
  return { definition, file, files, modules: graph.files, bytes, hash, inputs, ownNames, warnings };
}
