/**
 * Imports strategy files with Node's own loader and type stripping, whatever tool has loaded this module (a test runner
 * rewrites `import()` and would hand over another module system with other errors and other positions).
 *
 * A file is imported under `?v=N`, so that an edited strategy is read anew; files of its own that it imports get the
 * same query. A strategy may lie outside of this package: `tidewire` and `rxjs` then mean ours, so that there is one
 * copy of RxJS on the session's clock.
 */
import { createRequire, registerHooks, type ResolveFnOutput } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type * as NodeLoader from './node-loader.ts';

const PACKAGE_ROOT = new URL('../../', import.meta.url).href;
const OWN_URL = import.meta.url;
const QUERY = /\?v=\d+$/;

const { importUrl } = createRequire(OWN_URL)('./node-loader.ts') as typeof NodeLoader;

let hooked = false;
let version = 0;

function isOurs(specifier: string): boolean {
  return specifier === 'tidewire' || specifier === 'rxjs' || specifier.startsWith('rxjs/');
}

function isLocal(specifier: string): boolean {
  return (
    specifier.startsWith('./') ||
    specifier.startsWith('../') ||
    specifier.startsWith('file:') ||
    specifier.startsWith('/')
  );
}

/** Our own sources are never loaded twice, and code in node_modules is no strategy. */
function isStrategyFile(url: string): boolean {
  return url.startsWith('file:') && !url.includes('/node_modules/') && !url.startsWith(`${PACKAGE_ROOT}src/`);
}

function withQuery(resolved: ResolveFnOutput, query: string): ResolveFnOutput {
  if (!isStrategyFile(resolved.url)) return resolved;
  const format = /\.m?ts$/.test(resolved.url) ? 'module-typescript' : (resolved.format ?? undefined);
  return {
    ...resolved,
    url: `${resolved.url.replace(QUERY, '')}${query}`,
    ...(format === undefined ? {} : { format }),
  };
}

function hookOnce(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      const query = QUERY.exec(context.parentURL ?? '')?.[0];
      if (query !== undefined && isOurs(specifier)) return nextResolve(specifier, { ...context, parentURL: OWN_URL });
      if (query !== undefined && isLocal(specifier)) return withQuery(nextResolve(specifier, context), query);
      const own = QUERY.exec(specifier)?.[0];
      return own === undefined ? nextResolve(specifier, context) : withQuery(nextResolve(specifier, context), own);
    },
  });
}

/** Loads the file afresh. Rejects with what the loader or the file threw. */
export async function importFresh(file: string): Promise<Readonly<Record<string, unknown>>> {
  hookOnce();
  return importUrl(`${pathToFileURL(file).href}?v=${++version}`);
}

/** The root folder of this package, for resolving its own dependencies. */
export const packageRoot: string = fileURLToPath(PACKAGE_ROOT);
