/**
 * The modules of one load of a strategy: its own files and the packages that it imports, each loaded afresh for this load
 * alone and hashed as it was read. Modules of CommonJS are kept here and not in Node's cache, where the next load would find
 * them. Filled by the hooks of `native-import.ts`.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { InputLog } from './input-log.ts';

const { cache } = createRequire(import.meta.url);

type CommonJs = NodeJS.Module;
/** By file. */
type Cached = ReadonlyMap<string, CommonJs>;

/** What was put into Node's cache for a `require` while a strategy runs, and what stood there before. */
const lent = new Map<string, CommonJs | undefined>();

function put(file: string, module: CommonJs | undefined): void {
  if (module === undefined) delete cache[file];
  else cache[file] = module;
}

/** Takes from Node's cache what strategies may not share. */
export function takeCached(isShared: (file: string) => boolean): Cached {
  for (const [file, module] of lent) put(file, module);
  lent.clear();
  const taken = new Map<string, CommonJs>();
  for (const [file, module] of Object.entries(cache)) {
    if (module === undefined || isShared(file)) continue;
    taken.set(file, module);
    delete cache[file];
  }
  return taken;
}

export function putCached(taken: Cached): void {
  for (const [file, module] of taken) put(file, module);
}

export class ModuleGraph {
  /** Query of the URLs of this load: `?v=7`. */
  readonly token: string;
  readonly inputs: InputLog;
  /** For a session in real time, where native code may be used. */
  readonly inRealTime: boolean;
  /** SHA-256 of what was loaded, hex, by file. */
  readonly files = new Map<string, string>();
  /** Of all sources: what Node keeps of a load for ever grows with it. */
  bytes = 0;
  #cached: Cached | undefined;

  constructor(token: string, inputs: InputLog, inRealTime: boolean) {
    this.token = token;
    this.inputs = inputs;
    this.inRealTime = inRealTime;
  }

  /** From here on a module that is loaded is one that the running strategy loads. */
  close(cached: Cached): void {
    this.#cached = cached;
  }

  loaded(file: string, source: string | NodeJS.ArrayBufferView | ArrayBuffer): void {
    const bytes = typeof source === 'string' ? Buffer.from(source) : source;
    const content = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
    this.bytes += content.byteLength;
    if (this.#cached !== undefined) this.inputs.add('module', file);
    else this.files.set(file, createHash('sha256').update(content).digest('hex'));
    // Of the strategy's own, JSON is data that it reads.
    if (file.endsWith('.json') && !file.includes('/node_modules/')) this.inputs.add('file', file);
  }

  /** Before a `require` while the strategy runs: Node finds this load's module, or loads it afresh. */
  lend(file: string): void {
    if (this.#cached === undefined) return;
    if (!lent.has(file)) lent.set(file, cache[file]);
    put(file, this.#cached.get(file));
  }
}
