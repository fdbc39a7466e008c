/** Hash of all inputs of a run. Equal hashes mean byte-equal fills. */
import { createHash } from 'node:crypto';
import { tidewireVersion } from '../store/build.ts';
import type { Config } from '../config/schema.ts';
import type { LoadedStrategy } from '../../strategy/loading/load.ts';
import type { PreparedStrategy } from '../strategies.ts';

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]));
}

export interface HashedRun {
  readonly strategies: readonly PreparedStrategy[];
  readonly dataHash: string;
  readonly period: { readonly from: number; readonly to: number };
  readonly simulation: unknown;
  readonly config: Config;
  readonly seed: number;
  readonly repeat: number;
  /** SHA-256 of the signal file, hex. */
  readonly signals?: string | undefined;
}

export function runHash({
  strategies,
  dataHash,
  period,
  simulation,
  config,
  seed,
  repeat,
  signals,
}: HashedRun): string {
  const parts = {
    strategies: strategies.map(({ tag, loaded, params, limits, onStop }) => ({
      tag,
      code: loaded.hash,
      inputs: loaded.inputs.inputs.hash,
      params,
      limits,
      onStop,
    })),
    dataHash,
    period,
    // The version stands for the models: comments change a source hash.
    version: tidewireVersion(),
    locale: localeNow(),
    simulation,
    account: config.account,
    risk: config.risk,
    seed,
    repeat,
    ...(signals === undefined ? {} : { signals }),
  };
  return digest(parts);
}

/** After the run, when all models have been asked for. */
export function codeHashOf(strategies: readonly PreparedStrategy[]): string {
  return strategies.map(({ loaded }) => codeOf(loaded)).join(' ');
}

/** With the models that `setup` names, which `LoadedStrategy.hash` cannot know. */
function codeOf({ hash, inputs: { modelHashes } }: LoadedStrategy): string {
  return Object.keys(modelHashes).length === 0 ? hash : digest({ hash, modelHashes });
}

/** Dates and texts depend on them. */
export function localeNow(): { readonly timeZone: string; readonly locale: string } {
  const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions();
  return { timeZone, locale };
}

export interface RunHashes {
  readonly code: string;
  readonly data: string | null;
  readonly config: string;
}

export function runHashes(
  strategies: readonly PreparedStrategy[],
  config: Config,
  simulation: unknown,
  dataHash: string | null,
): RunHashes {
  const settings = strategies.map(({ tag, params, limits, onStop }) => ({ tag, params, limits, onStop }));
  return {
    code: digest(strategies.map(({ loaded }) => codeOf(loaded))),
    data: dataHash,
    config: digest({ settings, account: config.account, risk: config.risk, simulation }),
  };
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');
}
