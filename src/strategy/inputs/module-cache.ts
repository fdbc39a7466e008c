/**
 * Node's CommonJS cache, divided by load. Node's shortcuts bypass hooks, so each `require` determines the asker.
 *
 *   require(x) ─▶ load(): which load asks? ─▶ Node, with `x?v=N` ─▶ hooks of native-import.ts ─▶ part of that load
 */
import Module, { isBuiltin } from 'node:module';
import { captureStack, framesOf } from '../loading/location.ts';
import type { ModuleGraph } from './module-graph.ts';

type CommonJs = NodeJS.Module;
type Cache = Record<string, CommonJs | undefined>;

interface LoadOptions {
  /** Set by an `import`, which knew the load. */
  readonly resolved?: { readonly url?: string };
  readonly shouldSkipModuleHooks?: boolean;
}

type Load = (request: string, parent?: CommonJs | null, isMain?: boolean, options?: LoadOptions) => unknown;

/** Node's internals read at each call. */
interface Loader {
  _cache: Cache;
  _load: Load;
}

/** Query that names a load. */
export const TOKEN = /\?v=\d+$/;

const TOKEN_OF_FRAME = /\?v=\d+(?=:\d+:\d+\)?$)/;
const OWN_FOLDER = new URL('../', import.meta.url).pathname;

export class ModuleCache {
  readonly #loader = Module as unknown as Loader;
  readonly #main: Cache = this.#loader._cache;
  readonly #load: Load = this.#loader._load;
  readonly #isShared: (file: string) => boolean;
  /** By token. */
  readonly #graphs = new Map<string, ModuleGraph>();
  /** Who last resolved a file; null: no strategy. */
  readonly #owners = new Map<string, ModuleGraph | null>();
  /** Modules and `createRequire` results. */
  readonly #askers = new WeakMap<CommonJs, ModuleGraph | null>();
  /** Whose `require` is running; undefined outside one. */
  #current: ModuleGraph | null | undefined;
  #isInstalled = false;
  /** Node's part before. */
  #before: ReadonlyMap<string, CommonJs | undefined> = new Map();

  /** @param isShared whether all loads share the module of a file */
  constructor(isShared: (file: string) => boolean) {
    this.#isShared = isShared;
  }

  install(): void {
    this.#isInstalled = true;
    const part = (key: string | symbol): Cache => this.#graphFor(key)?.commonJs ?? this.#main;
    this.#loader._cache = new Proxy(this.#main, {
      get: (_, key) => Reflect.get(part(key), key) as unknown,
      has: (_, key) => Reflect.has(part(key), key),
      getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(part(key), key),
      deleteProperty: (_, key) => Reflect.deleteProperty(part(key), key),
      defineProperty: (_, key, property) => Reflect.defineProperty(part(key), key, property),
      set: (_, key, module: unknown) => {
        const graph = this.#graphFor(key);
        if (graph !== null && module instanceof Module) this.#askers.set(module, graph);
        return Reflect.set(part(key), key, module);
      },
    });
    const ask = this.#ask.bind(this);
    const real = this.#load;
    this.#loader._load = function load(this: unknown, request, parent, isMain, options) {
      return ask(request, parent, options, (named) => Reflect.apply(real, this, [named, parent, isMain, options]));
    };
  }

  add(graph: ModuleGraph): void {
    this.#graphs.set(graph.token, graph);
  }

  /** The load that a URL or request names. */
  named(text: string | undefined): ModuleGraph | undefined {
    const token = text === undefined ? undefined : TOKEN.exec(text)?.[0];
    return token === undefined ? undefined : this.#graphs.get(token);
  }

  ownerOf(file: string): ModuleGraph | undefined {
    return this.#owners.get(file) ?? undefined;
  }

  /** The load whose code is on the stack. */
  asker(): ModuleGraph | undefined {
    return this.#onStack() ?? undefined;
  }

  resolved(file: string, graph: ModuleGraph | undefined): void {
    this.#owners.set(file, graph ?? null);
  }

  /** Takes Node's part as reference. */
  adopt(): void {
    this.#before = new Map(Object.entries(this.#main));
  }

  /** Restores what changed without loading; returns the files. */
  restore(): readonly string[] {
    const changed: string[] = [];
    if (!this.#isInstalled) return changed;
    for (const [file, module] of this.#before) {
      if (this.#main[file] === module) continue;
      this.#main[file] = module;
      changed.push(file);
    }
    for (const file of Object.keys(this.#main)) {
      if (this.#before.has(file) || this.#owners.has(file)) continue;
      delete this.#main[file];
      changed.push(file);
    }
    return changed;
  }

  /** Null: Node's. */
  #graphFor(file: string | symbol): ModuleGraph | null {
    if (typeof file === 'symbol' || this.#isShared(file)) return null;
    return this.#current === undefined ? (this.#owners.get(file) ?? null) : this.#current;
  }

  #ask(
    request: string,
    parent: CommonJs | null | undefined,
    options: LoadOptions | undefined,
    load: (request: string) => unknown,
  ): unknown {
    const isImport = options?.resolved !== undefined || options?.shouldSkipModuleHooks === true;
    const graph = isImport
      ? (this.named(options.resolved?.url) ?? this.#owners.get(request) ?? null)
      : this.#askerOf(parent ?? undefined);
    const before = this.#current;
    this.#current = graph;
    try {
      if (graph === null || isImport || typeof request !== 'string' || isBuiltin(request)) return load(request);
      return load(`${request}${graph.token}`);
    } finally {
      this.#current = before;
    }
  }

  #askerOf(parent: CommonJs | undefined): ModuleGraph | null {
    if (parent === undefined) return this.#onStack();
    let graph = this.#askers.get(parent);
    if (graph === undefined) {
      graph = this.#main[parent.filename] === parent ? null : this.#onStack();
      this.#askers.set(parent, graph);
    }
    return graph;
  }

  /** Innermost caller outside Node and these files. */
  #onStack(): ModuleGraph | null {
    for (const line of captureStack().split('\n').slice(1)) {
      const [frame] = framesOf(line);
      if (frame === undefined || frame.file.startsWith(OWN_FOLDER)) continue;
      const token = TOKEN_OF_FRAME.exec(line.trimEnd())?.[0];
      return (token === undefined ? this.#owners.get(frame.file) : this.#graphs.get(token)) ?? null;
    }
    return null;
  }
}
