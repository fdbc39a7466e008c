/**
 * Gaps and damage of recordings. Their frames are read beside the answers, one recording at a time and block by block, and
 * again when a file of it has changed. An answer waits a moment for that, then it says that it is not over.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import type { Clock } from '../../model/ports.ts';
import { MANIFEST_FILE } from '../../recording/frames/manifest.ts';
import { listSegments } from '../../recording/frames/segments.ts';
import { lossesOf } from '../../recording/losses.ts';

const WAIT_MS = 2_000;
/** A recording that grows is read again after this, and after this many times what the last reading took. */
const GROWING_REST_MS = 10_000;
const GROWING_REST_SHARE = 20;
/** Folders that are gone are forgotten in time. */
const KNOWN_MAX = 1_000;
const BEING_READ = 'its frames are still being read: ask again for its gaps and damage';

interface Known {
  readonly key: string;
  readonly problems: readonly string[];
  readonly againAt: number;
}

export class RecordingLosses {
  readonly #clock: Clock;
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, Promise<void>>();
  #last: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** In sentences. */
  async of(path: string, isGrowing: boolean): Promise<readonly string[]> {
    if (!this.#isCurrent(path, isGrowing)) {
      const enough = Promise.withResolvers<void>();
      const cancel = this.#clock.after(WAIT_MS, enough.resolve);
      await Promise.race([this.#read(path, isGrowing), enough.promise]);
      cancel();
    }
    const problems = this.#known.get(path)?.problems ?? [];
    return this.#reading.has(path) ? [...problems, BEING_READ] : problems;
  }

  #isCurrent(path: string, isGrowing: boolean): boolean {
    const known = this.#known.get(path);
    if (known === undefined) return false;
    return known.key === keyOf(path, isGrowing) || (isGrowing && this.#clock.now() < known.againAt);
  }

  #read(path: string, isGrowing: boolean): Promise<void> {
    const under = this.#reading.get(path);
    if (under !== undefined) return under;
    const reading = this.#last.then(async () => {
      const started = this.#clock.now();
      const key = keyOf(path, isGrowing);
      const problems = await lossesOf(path, isGrowing).catch((thrown: unknown) => [messageOf(thrown)]);
      const now = this.#clock.now();
      const againAt = now + Math.max(GROWING_REST_MS, GROWING_REST_SHARE * (now - started));
      this.#known.delete(path);
      this.#known.set(path, { key, problems, againAt });
      const [oldest] = this.#known.keys();
      if (this.#known.size > KNOWN_MAX && oldest !== undefined) this.#known.delete(oldest);
      this.#reading.delete(path);
    });
    this.#reading.set(path, reading);
    this.#last = reading;
    return reading;
  }
}

/** What may have changed since a reading; a growing recording counts as another one when it has ended. */
function keyOf(path: string, isGrowing: boolean): string {
  try {
    const files = [MANIFEST_FILE, ...listSegments(path)].map((name) => {
      const { size, mtimeMs } = statSync(join(path, name));
      return [name, size, mtimeMs];
    });
    return JSON.stringify([isGrowing, files]);
  } catch (thrown) {
    return messageOf(thrown);
  }
}
