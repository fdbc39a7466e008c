/** Shared state behind accessors, in zod's registry and in tidewire's CommonJS modules. */
import buffer from 'node:buffer';
import { EventEmitter } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import stream from 'node:stream';
import { z } from 'zod';
import { moduleCache } from '../loading/native-import.ts';

interface Value {
  readonly name: string;
  read(): unknown;
  write(value: unknown): void;
}

function property(label: string, holder: object, name: string): Value {
  return {
    name: `${label}.${name}`,
    read: () => Reflect.get(holder, name) as unknown,
    write: (value) => void Reflect.set(holder, name, value),
  };
}

const VALUES: readonly Value[] = [
  property('process', process, 'title'),
  property('process', process, 'debugPort'),
  property('EventEmitter', EventEmitter, 'defaultMaxListeners'),
  property('EventEmitter', EventEmitter, 'captureRejections'),
  property('node:buffer', buffer, 'INSPECT_MAX_BYTES'),
  property('node:http', http, 'globalAgent'),
  property('node:https', https, 'globalAgent'),
  ...[false, true].map((inObjects): Value => ({
    name: `node:stream default high water mark${inObjects ? ' of objects' : ''}`,
    read: () => stream.getDefaultHighWaterMark(inObjects),
    write: (value) => stream.setDefaultHighWaterMark(inObjects, value as number),
  })),
  {
    name: 'node:net default auto-select family',
    read: () => net.getDefaultAutoSelectFamily(),
    write: (value) => net.setDefaultAutoSelectFamily(value as boolean),
  },
];

/** Schemas by `id`; later loads may reuse it. */
interface Registry {
  readonly _idmap: Map<unknown, unknown>;
}

export class SharedValues {
  #values: readonly unknown[] = [];
  #ids: ReadonlyMap<unknown, unknown> = new Map();

  adopt(): void {
    this.#values = VALUES.map((value) => value.read());
    this.#ids = new Map(idsOf());
    moduleCache.adopt();
  }

  /**
   * Restores later changes; returns their names.
   * @param shared objects that zod's registry may say nothing of, by name
   */
  restore(shared: Iterable<readonly [object, { readonly name: string }]>): readonly string[] {
    const changed: string[] = [];
    for (const [at, value] of VALUES.entries()) {
      if (Object.is(value.read(), this.#values[at])) continue;
      value.write(this.#values[at]);
      changed.push(value.name);
    }
    for (const [object, { name }] of shared) {
      if (!z.globalRegistry.has(object as z.ZodType)) continue;
      z.globalRegistry.remove(object as z.ZodType);
      changed.push(`z.globalRegistry of ${name}`);
    }
    const ids = idsOf();
    for (const id of ids.keys()) if (!this.#ids.has(id)) ids.delete(id);
    for (const [id, schema] of this.#ids) ids.set(id, schema);
    return [...changed, ...moduleCache.restore().map((file) => `require.cache ${file}`)];
  }
}

function idsOf(): Registry['_idmap'] {
  return (z.globalRegistry as unknown as Registry)._idmap;
}
