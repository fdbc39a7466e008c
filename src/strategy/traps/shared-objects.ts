/**
 * State shared by a thread: `globalThis`, built-ins, Node's modules, RxJS, zod, tidewire. Each property (about 16,000,
 * 2 ms) is compared before and after, reported and restored.
 * New `globalThis` names are removed with their run. Freezing would break packages that assign `toString`.
 */
import { z } from 'zod';
import { builtIn, tables, ZOD, ZOD_CONFIG, type Root } from './shared-roots.ts';
import { SharedValues } from './shared-values.ts';

interface Known {
  readonly name: string;
  readonly keys: readonly PropertyKey[];
  /** Empty where only a new name matters. */
  readonly properties: readonly PropertyDescriptor[];
  /** Data properties by value; `ACCESSOR` for others. */
  readonly values: readonly unknown[];
  readonly prototype: object | null;
}

/** New `globalThis` names of a strategy. */
export type OwnNames = ReadonlyMap<PropertyKey, PropertyDescriptor>;

export interface Restored {
  readonly changed: readonly string[];
  readonly ownNames: OwnNames;
}

/** Of `process` only new names count. */
const UNREAD: ReadonlySet<PropertyKey> = new Set(['localStorage', 'sessionStorage', 'console', 'process']);

/** Node's module state that changes normally. */
const WRITTEN_BY_NODE: ReadonlySet<string> = new Set(['_cache', '_pathCache', 'workerData']);
/** To compare; Node writes the others. */
const PROCESS_TABLES: ReadonlySet<string> = new Set(['config', 'features', 'release', 'versions']);

const ACCESSOR = Symbol('accessor');
/** A function with only these has no additions. */
const OF_FUNCTIONS: ReadonlySet<PropertyKey> = new Set(['length', 'name', 'prototype']);

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** A plain object. */
function isTable(value: unknown): value is object {
  if (Array.isArray(value)) return true;
  if (!isObject(value) || typeof value === 'function') return false;
  const parent: unknown = Object.getPrototypeOf(value);
  return parent === null || parent === Object.prototype;
}

/** Only new names matter; users write the values. */
function hasOnlyNames(object: object, keys: readonly PropertyKey[]): boolean {
  if (object === process || object instanceof RegExp) return true;
  return typeof object === 'function' && keys.every((key) => OF_FUNCTIONS.has(key));
}

/** At the first instance. */
function isMember(prototype: object, key: PropertyKey | null): boolean {
  return key !== null && Reflect.getOwnPropertyDescriptor(prototype, key)?.get !== undefined;
}

export class SharedObjects {
  readonly #known = new Map<object, Known>();
  readonly #values = new SharedValues();
  /** Zod prototypes without an instance yet. */
  readonly #unmade = new Set<object>();

  constructor() {
    // Reading creates Node's lazy names.
    for (const name of Reflect.ownKeys(globalThis)) if (!UNREAD.has(name)) void Reflect.get(globalThis, name);
    this.#learn(ZOD_CONFIG, 'z.config()');
    this.#learn(z.globalRegistry, 'z.globalRegistry');
    for (const root of ZOD) this.#learnZod(root);
    this.#learnAll(globalThis, 'globalThis', (name) => name);
    for (const [name, object, nameOf] of builtIn()) this.#learnAll(object, name, nameOf);
    this.#learnProcess();
    for (const root of tables()) this.#learnTable(root);
  }

  /** A function that temporarily replaces another. */
  watch(object: object, name: string): void {
    this.#learn(object, name);
  }

  #learn(object: object, name: string): boolean {
    if (this.#known.has(object)) return false;
    const keys = Reflect.ownKeys(object);
    const properties = hasOnlyNames(object, keys)
      ? []
      : keys.map((key) => Reflect.getOwnPropertyDescriptor(object, key)!);
    const values = properties.map((property) => ('value' in property ? (property.value as unknown) : ACCESSOR));
    this.#known.set(object, {
      name,
      keys,
      properties,
      values,
      prototype: Object.getPrototypeOf(object) as object | null,
    });
    return true;
  }

  /** With functions, prototypes, and what it inherits. */
  #learnAll(object: object, name: string, nameOf: (key: string) => string): void {
    if (object === process || !this.#learn(object, name)) return;
    for (const key of Reflect.ownKeys(object)) {
      if (object === globalThis && UNREAD.has(key)) continue;
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(object, key)!;
      const isDeep = key === 'prototype' || object === globalThis;
      const own = nameOf(String(key));
      for (const part of [value as unknown, get, set])
        if (typeof part === 'function' || (isDeep && isObject(part)))
          this.#learnAll(part, own, (inner) => `${own}.${inner}`);
    }
    const parent: unknown = Object.getPrototypeOf(object);
    if (isObject(parent)) this.#learnAll(parent, `prototype of ${name}`, (key) => `prototype of ${name}.${key}`);
  }

  #learnZod([name, exports, nameOf]: Root): void {
    this.#learn(exports, name);
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(exports))) {
      if (value instanceof RegExp) this.#learn(value, nameOf(key));
      if (typeof value !== 'function') continue;
      this.#learn(value, nameOf(key));
      const prototype: unknown = Reflect.get(value, 'prototype');
      if (!isObject(prototype) || !this.#learn(prototype, `${nameOf(key)}.prototype`)) continue;
      if (Reflect.ownKeys(prototype).every((own) => own === 'constructor')) this.#unmade.add(prototype);
    }
  }

  /** With its functions, classes and tables. */
  #learnTable([name, object, nameOf]: Root): void {
    if (!this.#learn(object, name)) return;
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(object)) as [
      string,
      { readonly value?: unknown },
    ][]) {
      if (WRITTEN_BY_NODE.has(key)) continue;
      const own = nameOf(key);
      if (typeof value === 'function' || isTable(value)) this.#learnTable([own, value, (inner) => `${own}.${inner}`]);
      const prototype: unknown =
        typeof value === 'function' && /^[A-Z]/.test(key) ? Reflect.get(value, 'prototype') : undefined;
      if (isObject(prototype)) this.#learn(prototype, `${own}.prototype`);
    }
  }

  #learnProcess(): void {
    this.#learn(process, 'process');
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(process)) as [
      string,
      { readonly value?: unknown },
    ][])
      if (typeof value === 'function' || (isObject(value) && PROCESS_TABLES.has(name)))
        this.#learn(value, `process.${name}`);
  }

  /** Takes the current state as reference. */
  adopt(): void {
    this.#values.adopt();
    for (const [object, known] of this.#known) {
      if (changesOf(object, known).length === 0) continue;
      this.#known.delete(object);
      this.#learn(object, known.name);
    }
    // RegExp.$1 shows the last match to everyone.
    /(?:)/.exec('');
  }

  /** Restores later changes. */
  restore(): Restored {
    const changed: string[] = [];
    const ownNames = new Map<PropertyKey, PropertyDescriptor>();
    for (const [object, known] of this.#known) {
      const found = changesOf(object, known);
      if (found.length === 0) continue;
      const keys = this.#unmade.has(object) ? found.filter((key) => !isMember(object, key)) : found;
      for (const key of keys) {
        const now = key === null ? undefined : Reflect.getOwnPropertyDescriptor(object, key);
        const isPutBack = putBack(object, known, key);
        const isNew = object === globalThis && key !== null && now !== undefined && !known.keys.includes(key);
        if (isNew && isPutBack) ownNames.set(key, now);
        else if (object !== ZOD_CONFIG)
          changed.push(key === null ? `the prototype of ${known.name}` : `${known.name}.${String(key)}`);
      }
    }
    for (const object of this.#unmade) this.#learnMade(object);
    return { changed: [...changed, ...this.#values.restore(this.#known)], ownNames };
  }

  #learnMade(prototype: object): void {
    const known = this.#known.get(prototype);
    if (known === undefined || Reflect.ownKeys(prototype).length === known.keys.length) return;
    this.#unmade.delete(prototype);
    this.#known.delete(prototype);
    this.#learn(prototype, known.name);
  }

  nameOf(object: object, key: PropertyKey): string {
    return `${this.#known.get(object)?.name ?? 'a built-in object'}.${String(key)}`;
  }

  /** False when something could not be restored. */
  get isClean(): boolean {
    for (const [object, known] of this.#known) if (changesOf(object, known).length > 0) return false;
    return true;
  }
}

function isSame(now: PropertyDescriptor | undefined, before: PropertyDescriptor | undefined): boolean {
  if (before === undefined) return true;
  return now !== undefined && Object.is(now.value, before.value) && now.get === before.get && now.set === before.set;
}

const NONE: readonly (PropertyKey | null)[] = [];

/** Fast path: descriptors take ten times as long. */
function isAsKnown(
  object: object,
  now: readonly PropertyKey[],
  { keys, properties, values, prototype }: Known,
): boolean {
  if (now.length !== keys.length) return false;
  if (properties.length === 0 && typeof object === 'function') return true;
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at]!;
    if (now[at] !== key) return false;
    const value = values[at];
    if (value === ACCESSOR) {
      if (!isSame(Reflect.getOwnPropertyDescriptor(object, key), properties[at])) return false;
    } else if (properties.length > 0 && !Object.is((object as Record<PropertyKey, unknown>)[key], value)) return false;
  }
  return Object.getPrototypeOf(object) === prototype;
}

/** Changed keys; null: the prototype. */
function changesOf(object: object, known: Known): readonly (PropertyKey | null)[] {
  const now = Reflect.ownKeys(object);
  if (isAsKnown(object, now, known)) return NONE;
  const { keys, properties, prototype } = known;
  const before = new Set(keys);
  const added = now.filter((key) => !before.has(key));
  const others = keys.filter((key, at) => !isSame(Reflect.getOwnPropertyDescriptor(object, key), properties[at]));
  return [...added, ...others, ...(Object.getPrototypeOf(object) === prototype ? [] : [null])];
}

/** False when impossible. */
function putBack(object: object, { keys, properties, prototype }: Known, key: PropertyKey | null): boolean {
  if (key === null) return Reflect.setPrototypeOf(object, prototype);
  const at = keys.indexOf(key);
  return at < 0 ? Reflect.deleteProperty(object, key) : Reflect.defineProperty(object, key, properties[at]!);
}
