/**
 * The modules of one load of a strategy: its own files and the packages that it imports, each loaded afresh for this load
 * alone and hashed as it was read. Modules of CommonJS are kept here and not in Node's cache, where the next load would find
 * them (`module-cache.ts`). Filled by the hooks of `native-import.ts`.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InputLog } from './input-log.ts';

// Before any trap lies around it.
const { readFileSync } = fs;

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
  /** By file. */
  readonly commonJs: Record<string, NodeJS.Module | undefined> = Object.create(null) as Record<string, undefined>;
  /** Folders of packages. */
  readonly #described = new Set<string>();
  #isClosed = false;

  constructor(token: string, inputs: InputLog, inRealTime: boolean) {
    this.token = token;
    this.inputs = inputs;
    this.inRealTime = inRealTime;
  }

  /** From here on a module that is loaded is one that the running strategy loads. */
  close(): void {
    this.#isClosed = true;
  }

  loaded(file: string, source: string | NodeJS.ArrayBufferView | ArrayBuffer): void {
    const bytes = typeof source === 'string' ? Buffer.from(source) : source;
    const content = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
    this.bytes += content.byteLength;
    this.#take(file, content);
    if (file.includes('/node_modules/')) this.#takeDescription(file);
    // Of the strategy's own, JSON is data that it reads.
    else if (file.endsWith('.json')) this.inputs.add('file', file);
  }

  #take(file: string, content: NodeJS.ArrayBufferView): void {
    if (this.#isClosed) this.inputs.add('module', file);
    else this.files.set(file, createHash('sha256').update(content).digest('hex'));
  }

  /** What a package says of its files: which of them are meant by a name, and in what they are written. */
  #takeDescription(file: string): void {
    const folder = dirname(file);
    if (this.#described.has(folder)) return;
    this.#described.add(folder);
    const description = findPackageJSON(pathToFileURL(file));
    if (description !== undefined && !this.files.has(description)) this.#take(description, readFileSync(description));
  }
}
