/** The modules of one load, loaded afresh and hashed. CommonJS modules are kept here, not in Node's cache. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InputLog } from './input-log.ts';

// Taken before any trap.
const { readFileSync } = fs;

/** So many numbers are no settings. */
const NUMBERS_OF_A_TABLE = 2000;

export class ModuleGraph {
  /** Query of this load's URLs: `?v=7`. */
  readonly token: string;
  readonly inputs: InputLog;
  /** Sessions in real time may use native code. */
  readonly inRealTime: boolean;
  /** File → SHA-256, hex. */
  readonly files = new Map<string, string>();
  /** Node keeps all sources for ever. */
  bytes = 0;
  /** By file. */
  readonly commonJs: Record<string, NodeJS.Module | undefined> = Object.create(null) as Record<string, undefined>;
  /** Package folders. */
  readonly #described = new Set<string>();
  #isClosed = false;

  constructor(token: string, inputs: InputLog, inRealTime: boolean) {
    this.token = token;
    this.inputs = inputs;
    this.inRealTime = inRealTime;
  }

  /** Later modules are loaded by the running strategy. */
  close(): void {
    this.#isClosed = true;
  }

  /** A file that is code as its modules are, such as the weights of a model. */
  asset(file: string, hash: string): void {
    if (!this.#isClosed) this.files.set(file, hash);
  }

  loaded(file: string, source: string | NodeJS.ArrayBufferView | ArrayBuffer): void {
    const bytes = typeof source === 'string' ? Buffer.from(source) : source;
    const content = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
    this.bytes += content.byteLength;
    this.#take(file, content);
    if (file.includes('/node_modules/')) this.#takeDescription(file);
    // Own JSON files are data, and so is code that is a table.
    else if (file.endsWith('.json') || isTable(bytes)) this.inputs.add('file', file);
  }

  #take(file: string, content: NodeJS.ArrayBufferView): void {
    if (this.#isClosed) this.inputs.add('module', file);
    else this.files.set(file, createHash('sha256').update(content).digest('hex'));
  }

  /** It selects the package's files and format. */
  #takeDescription(file: string): void {
    const folder = dirname(file);
    if (this.#described.has(folder)) return;
    this.#described.add(folder);
    const description = findPackageJSON(pathToFileURL(file));
    if (description !== undefined && !this.files.has(description)) this.#take(description, readFileSync(description));
  }
}

function isTable(source: Buffer | NodeJS.ArrayBufferView | ArrayBuffer): boolean {
  if (source.byteLength < 2 * NUMBERS_OF_A_TABLE) return false;
  const content = ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source);
  return (content.toString('latin1').match(/\d+(?:\.\d+)?/g)?.length ?? 0) >= NUMBERS_OF_A_TABLE;
}
