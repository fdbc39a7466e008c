/**
 * The band of a validation for the growth of a strategy's equity: its 5 % and 95 % quantiles after each number of
 * periods (docs/research.md). Pure, except for reading the file.
 */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '../../model/errors.ts';
import { sessionErrors } from '../errors.ts';

const band = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]);

/** What is read of the result of `validate`. */
const validationSchema = z.object({
  command: z.literal('validate'),
  strategy: z.string(),
  params: z.record(z.string(), z.unknown()),
  base: z.object({ sampleMs: z.number().positive() }),
  bands: z.union([
    z.object({ fan: z.array(z.object({ period: z.number(), band })).min(1) }),
    z.object({ skipped: z.string() }),
  ]),
});

export interface Band {
  readonly strategy: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** By time since the start. */
  readonly stops: readonly BandStop[];
}

export interface BandStop {
  /** ms since the start of the session. */
  readonly afterMs: number;
  /** Growth of 1. */
  readonly low: number;
  readonly high: number;
}

/** Throws `band_unusable`. */
export function readBand(file: string): Band {
  const fail = (why: string): Error => sessionErrors.make('band_unusable', `${file}: ${why}`, { path: file });
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (thrown) {
    throw fail(messageOf(thrown));
  }
  const parsed = validationSchema.safeParse(value);
  if (!parsed.success) throw fail('it is no result of validate');
  const { strategy, params, base, bands } = parsed.data;
  if ('skipped' in bands) throw fail(`the validation drew no band: ${bands.skipped}`);
  const stops = bands.fan.map(({ period, band: [low, , , , high] }) => ({
    afterMs: period * base.sampleMs,
    low,
    high,
  }));
  return { strategy, params, stops };
}

export type Standing = 'inside' | 'below' | 'above';

export interface Judgement {
  readonly stop: BandStop;
  readonly standing: Standing;
  readonly growth: number;
}

/** Judges once at each stop that has passed, the newest only. */
export class BandJudge {
  readonly #band: Band;
  #judgedTo = 0;

  constructor(band: Band) {
    this.#band = band;
  }

  /** No stop is left. */
  isOver(elapsedMs: number): boolean {
    return elapsedMs > (this.#band.stops.at(-1)?.afterMs ?? 0);
  }

  /** `growth`: equity now as a part of that at the start; null: not known yet, which is asked for again. */
  look(elapsedMs: number, growth: () => number | null): Judgement | null {
    const stop = this.#band.stops.findLast(({ afterMs }) => afterMs <= elapsedMs);
    if (stop === undefined || stop.afterMs <= this.#judgedTo) return null;
    const now = growth();
    if (now === null) return null;
    this.#judgedTo = stop.afterMs;
    const standing = now < stop.low ? 'below' : now > stop.high ? 'above' : 'inside';
    return { stop, standing, growth: now };
  }
}
