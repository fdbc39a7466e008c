/** Inputs of a strategy beyond code, parameters and data, hashed at first read. Part of the run hash. */
import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { strategyErrors } from '../errors.ts';
import { contentNow, inputNow, isAsRead, PATH_KINDS, Unhashable, type InputKind } from './digest.ts';
import { inputFile, type InputFile } from './input-file.ts';

/** Names and combined hash of the inputs. */
export interface Inputs {
  /** `file ../sizes.csv`, `env NODE_ENV`, sorted. */
  readonly names: readonly string[];
  readonly hash: string;
}

function hashOf(said: ReadonlyMap<string, string>): Inputs {
  const names = [...said.keys()].toSorted();
  const hash = createHash('sha256');
  for (const name of names) hash.update(JSON.stringify([name, said.get(name)]));
  return { names, hash: hash.digest('hex') };
}

function unlessUnreadable<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    const why = `file('${name}') cannot be read: ${messageOf(thrown)}`;
    throw strategyErrors.make('strategy_file_unreadable', why, { name }, thrown);
  }
}

export class InputLog {
  /** Private environment changes; undefined: deleted. */
  readonly written = new Map<string, string | undefined>();
  readonly #root: string;
  readonly #said = new Map<string, string>();
  /** By absolute path: what `file()` read. */
  readonly #files = new Map<string, { readonly file: InputFile; readonly stamp: string }>();
  /** Hashing calls the trapped functions itself. */
  #hashing = false;

  /** @param root the folder of the strategy's file: paths are named from there */
  constructor(root: string) {
    this.#root = root;
  }

  /** @throws Unhashable */
  add(kind: InputKind, name: string): void {
    if (this.#hashing) return;
    this.#hashing = true;
    try {
      const shown = PATH_KINDS.has(kind) ? relative(this.#root, resolve(name)) : name;
      const key = `${kind} ${shown}`;
      if (!this.#said.has(key)) this.#said.set(key, inputNow(kind, shown, this.#root));
    } finally {
      this.#hashing = false;
    }
  }

  /**
   * The file as it was at its first read. Throws `strategy_file_unreadable`, and `strategy_file_late` for a first read that
   * is not allowed any more.
   */
  read(name: string, isAllowed: boolean): InputFile {
    const path = resolve(this.#root, name);
    const known = this.#files.get(path);
    if (known !== undefined) return known.file;
    if (!isAllowed) {
      const what = `file('${name}') was called while the strategy runs, for the first time`;
      throw strategyErrors.make('strategy_file_late', what, { name });
    }
    const { bytes, hash, stamp } = unlessUnreadable(name, () => contentNow(path));
    const read = inputFile(name, bytes, hash);
    this.#files.set(path, { file: read, stamp });
    const key = `file ${relative(this.#root, path)}`;
    if (!this.#said.has(key)) this.#said.set(key, hash);
    return read;
  }

  /** Files of `file()` that are not as they were read, by name. */
  get changed(): readonly string[] {
    return [...this.#files].flatMap(([path, { file, stamp }]) =>
      isAsRead(path, { hash: file.hash, stamp }) ? [] : [file.name],
    );
  }

  get inputs(): Inputs {
    return hashOf(this.#said);
  }

  /** Files read for content, relative to the strategy's folder. */
  get filesRead(): readonly string[] {
    return this.inputs.names.flatMap((name) => (name.startsWith('file ') ? [name.slice('file '.length)] : []));
  }
}

/** Whether every input still has the same hash. */
export function isUnchanged({ names, hash }: Inputs, root: string): boolean {
  const said = new Map<string, string>();
  try {
    for (const name of names) {
      const space = name.indexOf(' ');
      said.set(name, inputNow(name.slice(0, space) as InputKind, name.slice(space + 1), root));
    }
  } catch (thrown) {
    if (thrown instanceof Unhashable) return false;
    throw thrown;
  }
  return hashOf(said).hash === hash;
}
