/** Versions of strategies in the journal's `controls` rows: start, fills, and whether a human ended the trial. */
import { z } from 'zod';
import type { Json } from '../model/text/json.ts';

export const CONTROLS = 'controls';

const controlsSchema = z.object({
  risk: z.object({
    canary: z.object({ share: z.number(), minFills: z.number(), minMs: z.number() }).optional(),
  }),
  strategies: z.array(z.object({ tag: z.string(), version: z.string().nullable(), trial: z.boolean().default(false) })),
});

export interface Trial {
  readonly strategy: string;
  readonly version: string;
  /** Unix ms of the version's first row in this journal. */
  readonly since: number;
  readonly fills: number;
  /** Share of the limits, 0 to 1. */
  readonly share: number;
  readonly minFills: number;
  readonly minMs: number;
}

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

export class Trials {
  private readonly versions = new Map<string, Version>();
  private readonly current = new Map<string, AtWork>();
  /** `tag version` → reason. */
  readonly widened = new Map<string, string>();

  /** Rows of older builds have another shape and are ignored. */
  controls(data: Json, ts: number): void {
    const parsed = controlsSchema.safeParse(data);
    if (!parsed.success) return;
    const { risk, strategies } = parsed.data;
    this.current.clear();
    for (const { tag, version, trial } of strategies) {
      if (version === null) continue;
      const key = keyOf(tag, version);
      const known = this.versions.get(key) ?? { since: ts, fills: 0 };
      this.versions.set(key, known);
      const { canary } = risk;
      const onTrial = trial && canary !== undefined;
      this.current.set(tag, {
        key,
        trial: onTrial ? { strategy: tag, version, since: known.since, ...canary } : null,
      });
    }
  }

  filled(strategy: string): void {
    const version = this.versions.get(this.current.get(strategy)?.key ?? '');
    if (version !== undefined) version.fills++;
  }

  widen(strategy: string, version: string, reason: string): void {
    this.widened.set(keyOf(strategy, version), reason);
  }

  /** Whether the strategy trades with a share of its limits. */
  holds({ tag, version, onTrial }: VersionAtWork): boolean {
    return onTrial === true && version !== undefined && !this.widened.has(keyOf(tag, version));
  }

  /** Strategies on trial, as far as the journal knows. */
  open(): readonly Trial[] {
    return [...this.current.values()].flatMap(({ key, trial }) =>
      trial === null || this.widened.has(key) ? [] : [{ ...trial, fills: this.versions.get(key)?.fills ?? 0 }],
    );
  }
}

function keyOf(tag: string, version: string): string {
  return `${tag} ${version}`;
}
