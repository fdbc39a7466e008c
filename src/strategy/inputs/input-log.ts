/** Inputs of a strategy beyond code, parameters and data, hashed at first read. Part of the run hash. */
import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { strategyErrors } from '../errors.ts';
import type { Model } from '../models/model-handle.ts';
import { contentNow, inputNow, isAsRead, PATH_KINDS, Unhashable, type Content, type InputKind } from './digest.ts';
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
    const why = `${name} cannot be read: ${messageOf(thrown)}`;
    throw strategyErrors.make('strategy_file_unreadable', why, { name }, thrown);
  }
}

export interface InputContent extends Content {
  /** As it was asked for. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

export class InputLog {
  /** Private environment changes; undefined: deleted. */
  readonly written = new Map<string, string | undefined>();
  readonly #root: string;
  readonly #said = new Map<string, string>();
  /** By absolute path: what was read for `file()` and `model()`. */
  readonly #contents = new Map<string, InputContent>();
  readonly #files = new Map<string, InputFile>();
  readonly #models = new Map<string, Model>();
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

  /** The folder of the strategy's file. */
  get root(): string {
    return this.#root;
  }

  /** See `content`. */
  read(name: string, isAllowed: boolean): InputFile {
    const { path, bytes, hash } = this.content(name, isAllowed);
    let file = this.#files.get(path);
    if (file === undefined) this.#files.set(path, (file = inputFile(name, bytes, hash)));
    return file;
  }

  /**
   * The file as it was at its first read. Throws `strategy_file_unreadable`, and `strategy_file_late` for a first read that
   * is not allowed any more.
   */
  content(name: string, isAllowed: boolean): InputContent {
    const path = resolve(this.#root, name);
    const known = this.#contents.get(path);
    if (known !== undefined) return known;
    if (!isAllowed) {
      const what = `${name} was asked for while the strategy runs, for the first time`;
      throw strategyErrors.make('strategy_file_late', what, { name });
    }
    const content = { name, path, ...unlessUnreadable(name, () => contentNow(path)) };
    this.#contents.set(path, content);
    const key = `file ${relative(this.#root, path)}`;
    if (!this.#said.has(key)) this.#said.set(key, content.hash);
    return content;
  }

  /** One a path. */
  model(path: string, open: () => Model): Model {
    let model = this.#models.get(path);
    if (model === undefined) this.#models.set(path, (model = open()));
    return model;
  }

  /** Files of `file()` and `model()` that are not as they were read, by name. */
  get changed(): readonly string[] {
    return [...this.#contents.values()].flatMap((content) => (isAsRead(content.path, content) ? [] : [content.name]));
  }

  get inputs(): Inputs {
    return hashOf(this.#said);
  }

  /** Files read for content, relative to the strategy's folder. */
  get filesRead(): readonly string[] {
    return Object.keys(this.fileHashes);
  }

  /** The same, sorted, with the SHA-256 of each as it was read. */
  get fileHashes(): FileHashes {
    const names = this.inputs.names.filter((name) => name.startsWith(FILE));
    return Object.fromEntries(names.map((name) => [name.slice(FILE.length), this.#said.get(name)!]));
  }

  /** Those of `model()`. */
  get modelHashes(): FileHashes {
    const models = [...this.#models].map(([path, { hash }]) => [relative(this.#root, path), hash] as const);
    return Object.fromEntries(models);
  }
}

const FILE = 'file ';

/** By path relative to the strategy's folder. */
export type FileHashes = Readonly<Record<string, string>>;

/** Names of files whose content is another one now. */
export function changedFiles(hashes: FileHashes, root: string): readonly string[] {
  return Object.entries(hashes).flatMap(([name, hash]) => {
    try {
      return inputNow('file', name, root) === hash ? [] : [name];
    } catch (thrown) {
      if (thrown instanceof Unhashable) return [name];
      throw thrown;
    }
  });
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
