/**
 * Imports strategy files with Node's own loader, even under a test runner.
 *
 * Each load imports file and packages under `?v=N`. Loads share tidewire, `rxjs` (one copy on the session's clock) and
 * `zod` only.
 */
import { createRequire, registerHooks, type LoadFnOutput, type ResolveFnOutput } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import { strategyErrors } from '../errors.ts';
import { InputLog } from '../inputs/input-log.ts';
import { ModuleCache, TOKEN } from '../inputs/module-cache.ts';
import { ModuleGraph } from '../inputs/module-graph.ts';
import type * as NodeLoader from './node-loader.ts';
import { outside } from '../running/scope.ts';

const PACKAGE_ROOT = new URL('../../../', import.meta.url).href;
const OWN_URL = import.meta.url;

const require = createRequire(OWN_URL);
const { importUrl } = require('./node-loader.ts') as typeof NodeLoader;

/** Folders whose modules all loads share. */
const SHARED: readonly string[] = [
  fileURLToPath(new URL('../../', OWN_URL)),
  ...['rxjs', 'zod'].map((name) => `${dirname(require.resolve(`${name}/package.json`))}/`),
];

/** Node modules that bypass the traps. */
const PAST_TRAPS: ReadonlySet<string> = new Set([
  'node:inspector',
  'node:inspector/promises',
  'node:repl',
  'node:wasi',
]);

/** Of a URL in a message. */
const SHOWN_CHARS = 60;

let version = 0;
let hooked = false;

function isOurs(specifier: string): boolean {
  return specifier === 'tidewire' || specifier === 'rxjs' || specifier.startsWith('rxjs/');
}

function isShared(file: string): boolean {
  return SHARED.some((folder) => file.startsWith(folder));
}

export const moduleCache: ModuleCache = new ModuleCache(isShared);

function fileOf(url: string | undefined): string | undefined {
  return url?.startsWith('file:') === true ? fileURLToPath(url.replace(TOKEN, '')) : undefined;
}

/** For CommonJS the URL may not name the load. */
function graphOf(url: string | undefined): ModuleGraph | undefined {
  const file = fileOf(url);
  return file === undefined ? undefined : (moduleCache.named(url) ?? moduleCache.ownerOf(file));
}

function refuse(what: string, why: string): never {
  throw strategyErrors.make('strategy_nondeterministic', `${what} ${why}`, { used: what });
}

function ownCopy(resolved: ResolveFnOutput, graph: ModuleGraph): ResolveFnOutput {
  if (resolved.url.startsWith('node:')) {
    if (PAST_TRAPS.has(resolved.url) && !graph.inRealTime) refuse(resolved.url, 'reaches beyond the session');
    return resolved;
  }
  const file = fileOf(resolved.url);
  if (file === undefined) {
    if (graph.inRealTime) return resolved;
    return refuse(resolved.url.slice(0, SHOWN_CHARS), 'is no file: Node keeps what it is for the next run');
  }
  const url = resolved.url.replace(TOKEN, '');
  moduleCache.resolved(file, isShared(file) ? undefined : graph);
  if (isShared(file)) return resolved;
  if (file.endsWith('.node') && !graph.inRealTime)
    refuse(file, 'is native code: what it does, and keeps from one run to the next, cannot be watched');
  const isStripped = /\.m?ts$/.test(file) && !file.includes('/node_modules/');
  const format = isStripped ? 'module-typescript' : resolved.format;
  return { ...resolved, url: `${url}${graph.token}`, ...(format === undefined ? {} : { format }) };
}

/** Node's rule where neither extension nor package decides. */
function isEsModule({ format, source }: LoadFnOutput): boolean {
  if (format !== undefined && format !== null) return format.startsWith('module');
  // Required sources come as text.
  const text = typeof source === 'string' ? source : '';
  if (!/\b(?:import|export)\b/.test(text)) return false;
  try {
    compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname']);
    return false;
  } catch {
    return true;
  }
}

function recorded(url: string, graph: ModuleGraph, isRequired: boolean, load: () => LoadFnOutput): LoadFnOutput {
  const file = fileURLToPath(url);
  const loaded = outside(load);
  // Node caches a required ES module for every load.
  if (isRequired && !graph.inRealTime && isEsModule(loaded))
    refuse(file, 'is an ES module: import it; what is required would be shared with the next run');
  outside(() => graph.loaded(file, loaded.source ?? ''));
  return loaded;
}

/** CommonJS ignores the context. */
function ours(specifier: string, isRequired: boolean, next: () => ResolveFnOutput): ResolveFnOutput {
  if (!isRequired) return next();
  return { url: pathToFileURL(require.resolve(specifier)).href, shortCircuit: true };
}

function hookOnce(): void {
  if (hooked) return;
  hooked = true;
  moduleCache.install();
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const { parentURL, conditions } = context;
      const graph = moduleCache.named(parentURL) ?? moduleCache.named(specifier) ?? graphOf(parentURL);
      if (graph === undefined) {
        const resolved = nextResolve(specifier, context);
        const file = fileOf(resolved.url);
        if (file !== undefined) moduleCache.resolved(file, undefined);
        return resolved;
      }
      const plain = specifier.replace(TOKEN, '');
      const resolved = outside(() =>
        isOurs(plain)
          ? ours(plain, conditions.includes('require'), () => nextResolve(plain, { ...context, parentURL: OWN_URL }))
          : nextResolve(plain, context),
      );
      return ownCopy(resolved, graph);
    },
    load: (url, context, nextLoad) => {
      const graph = graphOf(url);
      return graph === undefined
        ? nextLoad(url, context)
        : recorded(url, graph, context.conditions.includes('require'), () => nextLoad(url, context));
    },
  });
}

/** Loads shared modules before anything is watched. */
export async function loadShared(): Promise<void> {
  await importUrl(new URL('../../index.ts', import.meta.url).href);
}

export function newGraph(file: string, inRealTime: boolean): ModuleGraph {
  hookOnce();
  const graph = new ModuleGraph(`?v=${++version}`, new InputLog(dirname(file)), inRealTime);
  moduleCache.add(graph);
  return graph;
}

/** Loads the file afresh. Rejects with what loader or file threw. */
export async function importFresh(file: string, graph: ModuleGraph): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await importUrl(`${pathToFileURL(file).href}${graph.token}`);
  } finally {
    graph.close();
  }
}

/** Root folder of this package. */
export const packageRoot: string = fileURLToPath(PACKAGE_ROOT);
