/** Start objects of `shared-objects.ts` by display name. */
import { createRequire } from 'node:module';
import util from 'node:util';
import * as rxjs from 'rxjs';
import { z } from 'zod';
import * as actions from '../actions.ts';
import * as definitions from '../define.ts';
import { indicators } from '../indicators/indicators.ts';
import * as programs from '../programs.ts';

const require = createRequire(import.meta.url);

export type Root = readonly [name: string, object: object, nameOf: (key: string) => string];

function dotted(name: string): Root[2] {
  return (key) => `${name}.${key}`;
}

/** Written by each copy of zod: restored, not reported. */
export const ZOD_CONFIG: object = z.config();

/** Node modules that packages patch. */
const MODULES = [
  'assert',
  'async_hooks',
  'buffer',
  'child_process',
  'crypto',
  'diagnostics_channel',
  'dns',
  'events',
  'fs',
]
  .concat([
    'fs/promises',
    'http',
    'http2',
    'https',
    'module',
    'net',
    'os',
    'path',
    'perf_hooks',
    'querystring',
    'readline',
  ])
  .concat([
    'stream',
    'stream/promises',
    'string_decoder',
    'timers',
    'timers/promises',
    'tls',
    'url',
    'util',
    'v8',
    'vm',
  ])
  .concat(['worker_threads', 'zlib']);

/** Built-ins without a global name. */
function hiddenObjects(): readonly Root[] {
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
  return iterators.map(([name, value]) => [name, prototypeOf(value), dotted(name)]);
}

/** With what they inherit and accessor functions. */
export function builtIn(): readonly Root[] {
  return [
    ...hiddenObjects(),
    ['rxjs', rxjs, (name) => `rxjs ${name}`],
    ['rxjs config', rxjs.config, dotted('rxjs config')],
  ];
}

/** Zod completes their prototypes at the first instance. */
export const ZOD: readonly Root[] = [
  ['z', z, dotted('z')],
  ['z.core', z.core, dotted('z.core')],
  ['z.iso', z.iso, dotted('z.iso')],
  ['z.coerce', z.coerce, dotted('z.coerce')],
  ['z.util', z.util, dotted('z.util')],
  ['z.regexes', z.regexes, dotted('z.regexes')],
  ['z.locales', z.locales, dotted('z.locales')],
];

export function tables(): readonly Root[] {
  const modules = MODULES.map((name): Root => {
    const label = `node:${name}`;
    return [label, require(label) as object, (key) => `${label} ${key}`];
  });
  return [
    ['util.inspect.defaultOptions', util.inspect.defaultOptions, dotted('util.inspect.defaultOptions')],
    ...[actions, definitions, programs].map((part): Root => ['tidewire', part, (name) => `tidewire ${name}`]),
    ['indicators', indicators, dotted('indicators')],
    ...modules,
  ];
}
