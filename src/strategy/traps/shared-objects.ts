/**
 * What all code of a thread shares, whatever modules it has of its own: the names of `globalThis`, built-in prototypes and
 * functions, Node's modules, RxJS. A strategy that changes any of it would hand something to the run after it, or change how
 * the engine works. Each object is compared before and after, property by property (about 6,000, a millisecond), and what has
 * changed is named and put back. A new name of `globalThis` changes nothing that was there: packages make such names. It
 * belongs to the run that made it and goes with it.
 *
 * Freezing them instead would break packages that give their own objects a `toString` by plain assignment.
 */
import { createRequire } from 'node:module';
import * as rxjs from 'rxjs';
import { z } from 'zod';

const require = createRequire(import.meta.url);

interface Known {
  readonly name: string;
  readonly keys: readonly PropertyKey[];
  /** Empty where only a new name matters. */
  readonly properties: readonly PropertyDescriptor[];
  /** Those of the properties that hold a value; `ACCESSOR` in the place of others. */
  readonly values: readonly unknown[];
  readonly prototype: object | null;
}

/** Names of `globalThis` that a strategy made. */
export type OwnNames = ReadonlyMap<PropertyKey, PropertyDescriptor>;

export interface Restored {
  /** What was changed of what was there. */
  readonly changed: readonly string[];
  readonly ownNames: OwnNames;
}

/** Node's modules whose functions and classes packages patch. Deeper than a class and its prototype nothing of them is read. */
const MODULES = [
  'assert',
  'buffer',
  'crypto',
  'events',
  'fs',
  'fs/promises',
  'http',
  'https',
  'module',
  'os',
  'path',
].concat(['perf_hooks', 'querystring', 'stream', 'string_decoder', 'timers', 'url', 'util', 'zlib']);

/** Written by Node, the engine or a tool around it; of `process` itself a new name is noticed. */
const UNREAD: ReadonlySet<PropertyKey> = new Set(['localStorage', 'sessionStorage', 'console', 'process']);

/** Every copy of zod writes into the same one when it is loaded: put back, and no fault of anybody. */
const ZOD_CONFIG: object = z.config();

const ACCESSOR = Symbol('accessor');
/** A function that has no more than these holds nothing but what is added to it. */
const OF_FUNCTIONS: ReadonlySet<PropertyKey> = new Set(['length', 'name', 'prototype']);

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Built-in objects that no name leads to. */
function hiddenObjects(): readonly (readonly [string, object])[] {
  const prototypeOf = (value: object): object => Object.getPrototypeOf(value) as object;
  const iterators: readonly (readonly [string, object])[] = [
    ['ArrayIterator.prototype', [].values()],
    ['MapIterator.prototype', new Map().values()],
    ['SetIterator.prototype', new Set().values()],
    ['StringIterator.prototype', ''[Symbol.iterator]()],
    ['RegExpStringIterator.prototype', ''.matchAll(/x/g)],
    ['GeneratorFunction.prototype', function* () {}],
    ['AsyncFunction.prototype', async function () {}],
    ['AsyncGeneratorFunction.prototype', async function* () {}],
  ];
  return iterators.map(([name, value]) => [name, prototypeOf(value)]);
}

export class SharedObjects {
  readonly #known = new Map<object, Known>();

  constructor() {
    // Some names of Node are made when they are first read.
    for (const name of Reflect.ownKeys(globalThis)) if (!UNREAD.has(name)) void Reflect.get(globalThis, name);
    this.#learn(ZOD_CONFIG, 'z.config()');
    this.#learnAll(globalThis, 'globalThis', (name) => name);
    for (const [name, hidden] of hiddenObjects()) this.#learnAll(hidden, name, (key) => `${name}.${key}`);
    this.#learnAll(rxjs, 'rxjs', (name) => `rxjs ${name}`);
    this.#learn(rxjs.config, 'rxjs config');
    this.#learn(process, 'process');
    for (const module of MODULES) this.#learnModule(module, require(`node:${module}`) as object);
  }

  #learn(object: object, name: string): boolean {
    if (this.#known.has(object)) return false;
    const keys = Reflect.ownKeys(object);
    const isLeaf = typeof object === 'function' && keys.every((key) => OF_FUNCTIONS.has(key));
    const onlyNames = object === process || isLeaf;
    const properties = onlyNames ? [] : keys.map((key) => Reflect.getOwnPropertyDescriptor(object, key)!);
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

  /** With the functions on it, their prototypes, and what it inherits from. */
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

  #learnModule(module: string, exports: object): void {
    this.#learn(exports, `node:${module}`);
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(exports))) {
      const isClass = typeof value === 'function' && /^[A-Z]/.test(name);
      const prototype: unknown = isClass ? Reflect.get(value, 'prototype') : undefined;
      if (isClass && isObject(prototype)) {
        this.#learn(value, `node:${module} ${name}`);
        this.#learn(prototype, `node:${module} ${name}.prototype`);
      }
    }
  }

  /** What was changed by others until now is as it should be. */
  adopt(): void {
    for (const [object, known] of this.#known) {
      if (changesOf(object, known).length === 0) continue;
      this.#known.delete(object);
      this.#learn(object, known.name);
    }
    // What was matched last is told by RegExp.$1 to whoever asks.
    /(?:)/.exec('');
  }

  /** Puts back what has changed since. */
  restore(): Restored {
    const changed: string[] = [];
    const ownNames = new Map<PropertyKey, PropertyDescriptor>();
    for (const [object, known] of this.#known) {
      for (const key of changesOf(object, known)) {
        const now = key === null ? undefined : Reflect.getOwnPropertyDescriptor(object, key);
        const isPutBack = putBack(object, known, key);
        const isNew = object === globalThis && key !== null && now !== undefined && !known.keys.includes(key);
        if (isNew && isPutBack) ownNames.set(key, now);
        else if (object !== ZOD_CONFIG)
          changed.push(key === null ? `the prototype of ${known.name}` : `${known.name}.${String(key)}`);
      }
    }
    return { changed, ownNames };
  }

  nameOf(object: object, key: PropertyKey): string {
    return `${this.#known.get(object)?.name ?? 'a built-in object'}.${String(key)}`;
  }

  /** False where something could not be put back. */
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

/** Most are: looked at without a description of each property, which takes ten times as long. */
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

/** Keys whose property is another one; null: what the object inherits from. */
function changesOf(object: object, known: Known): readonly (PropertyKey | null)[] {
  const now = Reflect.ownKeys(object);
  if (isAsKnown(object, now, known)) return NONE;
  const { keys, properties, prototype } = known;
  const before = new Set(keys);
  const added = now.filter((key) => !before.has(key));
  const others = keys.filter((key, at) => !isSame(Reflect.getOwnPropertyDescriptor(object, key), properties[at]));
  return [...added, ...others, ...(Object.getPrototypeOf(object) === prototype ? [] : [null])];
}

/** False where it cannot be. */
function putBack(object: object, { keys, properties, prototype }: Known, key: PropertyKey | null): boolean {
  if (key === null) return Reflect.setPrototypeOf(object, prototype);
  const at = keys.indexOf(key);
  return at < 0 ? Reflect.deleteProperty(object, key) : Reflect.defineProperty(object, key, properties[at]!);
}
