/**
 * Files that a strategy opens by itself on paper and live. Nothing is refused; the first use of each function is
 * reported. While a file is loaded, its content is hashed too, as in a backtest.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { Cancel } from '../../model/ports.ts';
import { Unhashable } from '../inputs/digest.ts';
import { shownPath } from '../running/failure.ts';
import { captureStack, locate, type SourceLocation } from '../loading/location.ts';
import { moduleCache } from '../loading/native-import.ts';
import { anyScope, currentScope, inEngine, outside, ownerOf, type StrategyScope } from '../running/scope.ts';
import { OPENED, noteFile } from './file-inputs.ts';
import { callerIn } from './import-handler.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Gets a call: `fs.readFileSync`, its name and arguments. */
type Hear = (label: string, name: string, args: readonly unknown[]) => void;

const require = createRequire(import.meta.url);
const HOLDERS = [
  ['fs', require('node:fs') as object],
  ['fs/promises', require('node:fs/promises') as object],
] as const;
/** Each takes a path and opens it. */
const OPENERS = [
  'appendFile',
  'copyFile',
  'createReadStream',
  'createWriteStream',
  'open',
  'openAsBlob',
  'readFile',
  'writeFile',
];

const RUNNING =
  'opens a file while the strategy runs: replay and backtest cannot repeat it; name what it reads with file()';

/** Current listeners. A kept reference to a wrapped function asks again at each call. */
const hearing = new Set<Hear>();
let isTelling = false;

function tell(label: string, name: string, args: readonly unknown[]): void {
  if (isTelling) return;
  isTelling = true;
  try {
    for (const hear of hearing) hear(label, name, args);
  } finally {
    isTelling = false;
  }
}

function wrapped(label: string, name: string, real: AnyFunction): AnyFunction {
  const told: AnyFunction = function told(this: unknown, ...args) {
    if (hearing.size > 0 && typeof args[0] !== 'number') tell(`${label}.${name}()`, name, args);
    return Reflect.apply(real, this, args);
  };
  return Object.defineProperties(told, Object.getOwnPropertyDescriptors(real));
}

interface Wrap {
  readonly holder: object;
  readonly name: string;
  readonly real: unknown;
  readonly told: AnyFunction;
}

function wraps(): readonly Wrap[] {
  return HOLDERS.flatMap(([label, holder]) =>
    OPENERS.flatMap((opener) => [opener, `${opener}Sync`]).flatMap((name) => {
      const real: unknown = Reflect.get(holder, name);
      return typeof real === 'function'
        ? [{ holder, name, real, told: wrapped(label, name, real as AnyFunction) }]
        : [];
    }),
  );
}

let laid: readonly Wrap[] = [];

function listen(hear: Hear): Cancel {
  if (hearing.size === 0) {
    laid = wraps();
    for (const { holder, name, told } of laid) Reflect.set(holder, name, told);
    syncBuiltinESMExports();
  }
  hearing.add(hear);
  return () => {
    if (!hearing.delete(hear) || hearing.size > 0) return;
    for (const { holder, name, real, told } of laid)
      if (Reflect.get(holder, name) === told) Reflect.set(holder, name, real);
    laid = [];
    syncBuiltinESMExports();
  };
}

function sentence(label: string, place: SourceLocation | undefined, what: string): string {
  return `${label}${place === undefined ? '' : ` at ${shownPath(place.file)}:${place.line}`} ${what}`;
}

/** Around an import in real time; answers its value and a sentence for each function used. */
export async function tellImport<T>(
  files: ReadonlySet<string>,
  run: () => Promise<T>,
): Promise<{ readonly value: T; readonly warnings: readonly string[] }> {
  const warnings = new Map<string, string>();
  const stop = listen((label, name, args) => {
    const stack = captureStack();
    const inputs = callerIn(stack) === undefined ? undefined : moduleCache.asker()?.inputs;
    if (inputs === undefined) return;
    try {
      noteFile(inputs, name, args);
    } catch (thrown) {
      // What no hash covers is the strategy's own matter in real time.
      if (!(thrown instanceof Unhashable)) throw thrown;
    }
    if (!warnings.has(label)) warnings.set(label, sentence(label, locate(stack, files), OPENED));
  });
  try {
    return { value: await run(), warnings: [...warnings.values()] };
  } finally {
    stop();
  }
}

/** While a session runs in real time. `warn`: once a strategy and function. */
export function tellFiles(warn: (scope: StrategyScope, message: string) => void): Cancel {
  const told = new Set<string>();
  return listen((label) => {
    const running = currentScope();
    if (running === undefined && (inEngine() || !anyScope())) return;
    outside(() => {
      const stack = captureStack();
      // Node's own functions call each other.
      const scope = callerIn(stack) === undefined ? undefined : (running ?? ownerOf(stack));
      if (scope === undefined || told.has(`${scope.tag} ${label}`)) return;
      told.add(`${scope.tag} ${label}`);
      warn(scope, `${scope.tag}: ${sentence(label, locate(stack, scope.files), RUNNING)}`);
    });
  });
}
