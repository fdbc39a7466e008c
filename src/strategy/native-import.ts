/**
 * Imports strategy files with Node's own loader and type stripping, whatever tool has loaded this module (a test runner
 * rewrites `import()` and would hand over another module system with other errors and other positions).
 *
 * A file is imported under `?v=N`, and so is all that it imports, packages too: each load has modules of its own, which
 * begin anew and share nothing with another load. Shared are tidewire, and with it `rxjs` (one copy on the session's clock)
 * and `zod`: a strategy may lie outside of this package, and these names then mean ours.
 */
import { createRequire, registerHooks, type LoadFnOutput, type ResolveFnOutput } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { strategyErrors } from './errors.ts';
import { InputLog } from './inputs/input-log.ts';
import { ModuleGraph, putCached, takeCached } from './inputs/module-graph.ts';
import type * as NodeLoader from './node-loader.ts';
import { outside } from './scope.ts';

const PACKAGE_ROOT = new URL('../../', import.meta.url).href;
const OWN_URL = import.meta.url;
const QUERY = /\?v=\d+$/;

const require = createRequire(OWN_URL);
const { importUrl } = require('./node-loader.ts') as typeof NodeLoader;

/** Folders whose modules all loads share. */
const SHARED: readonly string[] = [
  fileURLToPath(new URL('src/', PACKAGE_ROOT)),
  ...['rxjs', 'zod'].map((name) => `${dirname(require.resolve(`${name}/package.json`))}/`),
];

/** Modules of Node that reach the disk, or other code, past every trap. */
const PAST_TRAPS: ReadonlySet<string> = new Set([
  'node:inspector',
  'node:inspector/promises',
  'node:repl',
  'node:wasi',
]);

let version = 0;
/** By token. */
const graphs = new Map<string, ModuleGraph>();
/** By file: the newest graph that has it. A module of CommonJS is known to Node by its file alone. */
const newest = new Map<string, ModuleGraph>();
let hooked = false;

function isOurs(specifier: string): boolean {
  return specifier === 'tidewire' || specifier === 'rxjs' || specifier.startsWith('rxjs/');
}

function isShared(file: string): boolean {
  return SHARED.some((folder) => file.startsWith(folder));
}

function graphOf(url: string | undefined): ModuleGraph | undefined {
  if (url === undefined || !url.startsWith('file:')) return undefined;
  const token = QUERY.exec(url)?.[0];
  return token === undefined ? newest.get(fileURLToPath(url)) : graphs.get(token);
}

function refuse(what: string, why: string): never {
  throw strategyErrors.make('strategy_nondeterministic', `${what} ${why}`, { used: what });
}

function ownCopy(resolved: ResolveFnOutput, graph: ModuleGraph): ResolveFnOutput {
  if (PAST_TRAPS.has(resolved.url) && !graph.inRealTime) refuse(resolved.url, 'reaches beyond the session');
  if (!resolved.url.startsWith('file:')) return resolved;
  const url = resolved.url.replace(QUERY, '');
  const file = fileURLToPath(url);
  if (isShared(file)) return resolved;
  if (file.endsWith('.node') && !graph.inRealTime)
    refuse(file, 'is native code: what it does, and keeps from one run to the next, cannot be watched');
  graph.lend(file);
  const isStripped = /\.m?ts$/.test(file) && !file.includes('/node_modules/');
  const format = isStripped ? 'module-typescript' : resolved.format;
  return { ...resolved, url: `${url}${graph.token}`, ...(format === undefined ? {} : { format }) };
}

function recorded(url: string, graph: ModuleGraph, isRequired: boolean, load: () => LoadFnOutput): LoadFnOutput {
  const file = fileURLToPath(url);
  const loaded = outside(load);
  // Node keeps an ES module that was required under its plain name, for every load.
  if (isRequired && loaded.format?.startsWith('module') === true && !graph.inRealTime)
    refuse(file, 'is an ES module: import it; what is required would be shared with the next run');
  graph.loaded(file, loaded.source ?? '');
  newest.set(file, graph);
  return loaded;
}

function hookOnce(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const graph = graphOf(context.parentURL) ?? (QUERY.test(specifier) ? graphOf(specifier) : undefined);
      if (graph === undefined) return nextResolve(specifier, context);
      if (isOurs(specifier)) return nextResolve(specifier, { ...context, parentURL: OWN_URL });
      return ownCopy(
        outside(() => nextResolve(specifier, context)),
        graph,
      );
    },
    load: (url, context, nextLoad) => {
      const graph = QUERY.test(url) ? graphOf(url) : undefined;
      return graph === undefined
        ? nextLoad(url, context)
        : recorded(url, graph, context.conditions.includes('require'), () => nextLoad(url, context));
    },
  });
}

/** Loads what all strategies share, before anything is watched. */
export async function loadShared(): Promise<void> {
  await importUrl(new URL('src/index.ts', PACKAGE_ROOT).href);
}

/** The modules of a load of `file` that is to come. */
export function newGraph(file: string, inRealTime: boolean): ModuleGraph {
  hookOnce();
  const graph = new ModuleGraph(`?v=${++version}`, new InputLog(dirname(file)), inRealTime);
  graphs.set(graph.token, graph);
  return graph;
}

/**
 * Loads the file afresh into the graph. One at a time: Node's cache of CommonJS is one. Rejects with what the loader or the
 * file threw.
 */
export async function importFresh(file: string, graph: ModuleGraph): Promise<Readonly<Record<string, unknown>>> {
  const others = takeCached(isShared);
  try {
    return await importUrl(`${pathToFileURL(file).href}${graph.token}`);
  } finally {
    graph.close(takeCached(isShared));
    putCached(others);
  }
}

/** The root folder of this package, for resolving its own dependencies. */
export const packageRoot: string = fileURLToPath(PACKAGE_ROOT);
