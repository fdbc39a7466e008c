/**
 * Which version of each strategy is at work by the journal's `controls` rows, since when and with how many fills, and
 * which versions a human has let out of their trial. Part of the state that the journal rebuilds; asked by the book of
 * limits, and shown by `status`, `plan` and `why-not`.
 */
import { z } from 'zod';
import type { Json } from '../model/journal.ts';
import type { StrategySlot } from './executor-types.ts';
import { executionErrors } from './errors.ts';

/** What a `controls` row says of them. */
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

interface Version {
  readonly since: number;
  fills: number;
}

export class Trials {
  /** `tag version` → since when, and fills. */
  readonly #versions = new Map<string, Version>();
  /** By tag: the version at work. */
  readonly #current = new Map<string, { readonly key: string; readonly trial: Omit<Trial, 'fills'> | null }>();
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
  holds({ tag, version, onTrial }: StrategySlot): boolean {
    return onTrial === true && version !== undefined && !this.widened.has(keyOf(tag, version));
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

/** The trial that is to end. Throws `not_on_trial`, `trial_not_over`. */
export function requireOver(trials: Trials, strategy: string, now: number): Trial {
  const trial = trials.open().find((open) => open.strategy === strategy);
  if (trial === undefined)
    throw executionErrors.make('not_on_trial', `${strategy} is not on trial here: its limits stand as configured`, {
      strategy,
    });
  const { since, fills, minFills, minMs } = trial;
  const ranMs = now - since;
  if (ranMs < minMs || fills < minFills) {
    const minutes = (ms: number): string => (ms / 60_000).toFixed(1);
    const message = `${strategy} has ${fills} fills of ${minFills} and ${minutes(ranMs)} minutes of ${minutes(minMs)}`;
    throw executionErrors.make('trial_not_over', message, { strategy, fills, minFills, ranMs, minMs });
  }
  return trial;
}

export function trialText({ strategy, version, since, fills, share }: Trial): string {
  const percent = +(share * 100).toPrecision(4);
  return `${strategy} is on trial with ${percent} % of its limits (version ${version}, ${fills} fills since ${new Date(since).toISOString()})`;
}
