/** Inputs of a strategy beyond code, parameters and data, hashed at first read. Part of the run hash. */
import { createHash } from 'node:crypto';
import { relative, resolve } from 'node:path';
import { inputNow, PATH_KINDS, Unhashable, type InputKind } from './digest.ts';

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

export class InputLog {
  /** Private environment changes; undefined: deleted. */
  readonly written = new Map<string, string | undefined>();
  readonly #root: string;
  readonly #said = new Map<string, string>();
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
