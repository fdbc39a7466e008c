/** `--watch`: watches strategy files and their local imports, and reports a change once the files are stable. */
import { statSync } from 'node:fs';
import type { Cancel, Clock } from '../../model/ports.ts';
import { sessionErrors } from '../../session/errors.ts';
import { localFiles } from '../../strategy/loading/local-imports.ts';

const LOOK_MS = 200;
/** An editor writes in several steps. */
const REST_MS = 300;

/** Throws `bad_option`. */
export function refuseJson(options: { readonly json?: boolean }): void {
  if (options.json !== true) return;
  const why = '--watch prints a result for each run, --json exactly one document; give one of them';
  throw sessionErrors.make('bad_option', why, { option: 'watch' });
}

/** Which files there are, and of what size and time. */
export function signatureOf(files: readonly string[]): string {
  const all = new Set(files.flatMap((file) => [...localFiles(file)]));
  return [...all]
    .sort()
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return `${file} ${stat === undefined ? 'gone' : `${stat.mtimeMs} ${stat.size}`}`;
    })
    .join('\n');
}

/** A change counts once it has stayed as it is for `REST_MS`. */
export class Rest {
  #known: string;
  #last: string;
  #since = 0;

  constructor(signature: string) {
    this.#known = this.#last = signature;
  }

  /** True once a change. `now`: Unix ms. */
  look(signature: string, now: number): boolean {
    if (signature !== this.#last) {
      this.#last = signature;
      this.#since = now;
    }
    if (signature === this.#known || now - this.#since < REST_MS) return false;
    this.#known = signature;
    return true;
  }
}

export interface SourceWatch {
  /** Resolves at the next change that came to rest, also when that was before the call. */
  changed(): Promise<void>;
  readonly stop: Cancel;
}

export function watchSources(files: readonly string[], clock: Pick<Clock, 'every' | 'now'>): SourceWatch {
  const rest = new Rest(signatureOf(files));
  let next = Promise.withResolvers<void>();
  const stop = clock.every(LOOK_MS, () => {
    if (rest.look(signatureOf(files), clock.now())) next.resolve();
  });
  return {
    stop,
    changed: async () => {
      await next.promise;
      next = Promise.withResolvers();
    },
  };
}
