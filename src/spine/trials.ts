/**
 * Which version of each strategy is at work by the journal's `controls` rows, since when and with how many fills, and
 * which versions a human has let out of their trial. Part of the state that the journal rebuilds; asked by the book of
 * limits, and shown by `status`, `plan` and `why-not`.
 */
import { z } from 'zod';
import type { Json } from '../model/json.ts';

/** Name of the row with limits and strategies. */
export const CONTROLS = 'controls';

/** What it says of them. */
const controlsSchema = z.object({
  risk: z.object({
    canary: z.object({ share: z.number(), minFills: z.number(), minMs: z.number() }).optional(),
  }),
  strategies: z.array(z.object({ tag: z.string(), version: z.string().nullable(), trial: z.boolean().default(false) })),
});

export interface Trial {
  readonly strategy: string;
  readonly version: string;
  /** Unix ms at which this version began in this journal. */
  readonly since: number;
  readonly fills: number;
  /** Of the limits. */
  readonly share: number;
  readonly minFills: number;
  readonly minMs: number;
}

/** A strategy and its version, as it is configured. */
interface VersionAtWork {
  readonly tag: string;
  readonly version?: string;
  readonly onTrial?: boolean;
}

interface Version {
  readonly since: number;
  fills: number;
}

interface AtWork {
  readonly key: string;
  readonly trial: Omit<Trial, 'fills'> | null;
}

interface SavedTrials {
  readonly versions: readonly (readonly [string, Version])[];
  readonly current: readonly (readonly [string, AtWork])[];
  readonly widened: readonly (readonly [string, string])[];
}

export class Trials {
  /** `tag version` → since when, and fills. */
  readonly #versions = new Map<string, Version>();
  /** By tag: the version at work. */
  readonly #current = new Map<string, AtWork>();
  /** `tag version` → why. */
  readonly widened = new Map<string, string>();

  /** A `controls` row; those of builds that wrote other rows say nothing of trials. */
  controls(data: Json, ts: number): void {
    const parsed = controlsSchema.safeParse(data);
    if (!parsed.success) return;
    const { risk, strategies } = parsed.data;
    this.#current.clear();
    for (const { tag, version, trial } of strategies) {
      if (version === null) continue;
      const key = keyOf(tag, version);
      const known = this.#versions.get(key) ?? { since: ts, fills: 0 };
      this.#versions.set(key, known);
      const { canary } = risk;
      const onTrial = trial && canary !== undefined;
      this.#current.set(tag, {
        key,
        trial: onTrial ? { strategy: tag, version, since: known.since, ...canary } : null,
      });
    }
  }

  filled(strategy: string): void {
    const version = this.#versions.get(this.#current.get(strategy)?.key ?? '');
    if (version !== undefined) version.fills++;
  }

  widen(strategy: string, version: string, reason: string): void {
    this.widened.set(keyOf(strategy, version), reason);
  }

  /** Whether the strategy trades with a share of its limits. */
  holds({ tag, version, onTrial }: VersionAtWork): boolean {
    return onTrial === true && version !== undefined && !this.widened.has(keyOf(tag, version));
  }

  /** For the snapshot. */
  saved(): SavedTrials {
    return { versions: [...this.#versions], current: [...this.#current], widened: [...this.widened] };
  }

  load({ versions, current, widened }: SavedTrials): void {
    for (const [key, version] of versions) this.#versions.set(key, { ...version });
    for (const [tag, atWork] of current) this.#current.set(tag, atWork);
    for (const [key, reason] of widened) this.widened.set(key, reason);
  }

  /** Strategies whose version is on trial, as far as this journal knows. */
  open(): readonly Trial[] {
    return [...this.#current.values()].flatMap(({ key, trial }) =>
      trial === null || this.widened.has(key) ? [] : [{ ...trial, fills: this.#versions.get(key)?.fills ?? 0 }],
    );
  }
}

function keyOf(tag: string, version: string): string {
  return `${tag} ${version}`;
}
