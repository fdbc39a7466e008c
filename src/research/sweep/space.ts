/**
 * The space of a search (`sweep --space FILE`, YAML) and its map to the unit cube, one coordinate a dimension.
 *
 *   parameters:
 *     halfSpreadBps: { from: 0.2, to: 5, log: true }        # continuous; `step: 0.1` for a grid of values
 *     everyMs: { from: 100, to: 2000, step: 50, integer: true }
 *     quantity: { of: ["0.001", "0.002"] }                  # a choice; ordered when all are numbers
 *   objectives: [{ metric: sharpe }]                        # `direction: minimize` for the other way
 *   constraints: [{ metric: trades, atLeast: 30 }]
 */
import { z } from 'zod';
import { messageOf } from '../../model/errors.ts';
import { researchErrors } from '../errors.ts';
import { metricNames } from './metrics.ts';

const range = z
  .strictObject({
    from: z.number(),
    to: z.number(),
    step: z.number().positive().optional(),
    integer: z.boolean().default(false),
    log: z.boolean().default(false),
  })
  .refine(({ from, to }) => from < to, 'expected `from` below `to`')
  .refine(({ log, from }) => !log || from > 0, 'a logarithmic range begins above 0')
  .refine(({ log, step }) => !log || step === undefined, 'a logarithmic range has no step')
  .refine(
    ({ integer, from, to, step }) => !integer || [from, to, step ?? 1].every(Number.isInteger),
    'from, to and step of whole numbers are whole',
  );

const choice = z.strictObject({
  of: z.array(z.union([z.string(), z.number(), z.boolean()])).min(1),
});

const metric = z
  .string()
  .refine((name) => metricNames.has(name), 'not a statistic (docs/metrics.md) or sharpePerPeriod');

const objective = z.strictObject({ metric, direction: z.enum(['maximize', 'minimize']).default('maximize') });

const constraint = z
  .strictObject({ metric, atLeast: z.number().optional(), atMost: z.number().optional() })
  .refine(({ atLeast, atMost }) => atLeast !== undefined || atMost !== undefined, 'expected atLeast or atMost');

export const spaceSchema = z.strictObject({
  parameters: z
    .record(z.string(), z.union([range, choice]))
    .refine((all) => Object.keys(all).length > 0, 'no parameter to search'),
  objectives: z
    .array(objective)
    .min(1)
    .default([{ metric: 'netPnl', direction: 'maximize' }]),
  constraints: z.array(constraint).default([]),
});

export type SpaceDocument = z.output<typeof spaceSchema>;
export type Objective = SpaceDocument['objectives'][number];
export type Constraint = SpaceDocument['constraints'][number];
export type ParamValue = string | number | boolean;
/** Coordinates in [0, 1), one a dimension. */
export type UnitPoint = readonly number[];

export interface Dimension {
  readonly name: string;
  /** Values without order or distance. */
  readonly isCategorical: boolean;
  /** Number of values; null when continuous. */
  readonly levels: number | null;
  readonly valueAt: (unit: number) => ParamValue;
  /** Middle of the value's part of [0, 1). */
  readonly unitOf: (level: number) => number;
}

export interface Space {
  readonly dimensions: readonly Dimension[];
  readonly objectives: readonly Objective[];
  readonly constraints: readonly Constraint[];
}

/** @throws `sweep_space` that names the path in the file. */
export function parseSpace(value: unknown, file: string): SpaceDocument {
  const parsed = spaceSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.map(String).join('.') || 'file'}: ${issue.message}`);
  throw researchErrors.make('sweep_space', `${file}: ${issues.slice(0, 3).join('; ')}`, { file, issues });
}

export function spaceOf(document: SpaceDocument): Space {
  const dimensions = Object.entries(document.parameters).map(([name, given]) =>
    'of' in given ? choiceDimension(name, given.of) : rangeDimension(name, given),
  );
  return { dimensions, objectives: document.objectives, constraints: document.constraints };
}

export function paramsAt(space: Space, point: UnitPoint): Readonly<Record<string, ParamValue>> {
  return Object.fromEntries(space.dimensions.map(({ name, valueAt }, index) => [name, valueAt(point[index] ?? 0)]));
}

function choiceDimension(name: string, values: readonly ParamValue[]): Dimension {
  const isNumeric = values.every(
    (value) => typeof value !== 'boolean' && value !== '' && Number.isFinite(Number(value)),
  );
  const ordered = isNumeric ? values.toSorted((a, b) => Number(a) - Number(b)) : values;
  const levels = ordered.length;
  return {
    name,
    isCategorical: !isNumeric,
    levels,
    valueAt: (unit) => ordered[Math.min(levels - 1, Math.floor(unit * levels))]!,
    unitOf: (level) => (level + 0.5) / levels,
  };
}

function rangeDimension(name: string, given: z.output<typeof range>): Dimension {
  const { from, to, log, integer } = given;
  const step = given.step ?? (integer && !log ? 1 : undefined);
  if (step === undefined) {
    const scaled = (unit: number): number => (log ? from * (to / from) ** unit : from + unit * (to - from));
    const valueAt = (unit: number): number => tidy(integer ? Math.round(scaled(unit)) : scaled(unit));
    return { name, isCategorical: false, levels: null, valueAt, unitOf: (level) => level };
  }
  const levels = Math.floor((to - from) / step + 1e-9) + 1;
  return {
    name,
    isCategorical: false,
    levels,
    valueAt: (unit) => tidy(from + step * Math.min(levels - 1, Math.floor(unit * levels))),
    unitOf: (level) => (level + 0.5) / levels,
  };
}

/** Rounds to twelve significant digits. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

/** For YAML errors. */
export function unreadableSpace(file: string, thrown: unknown): Error {
  return researchErrors.make('sweep_space', `${file} cannot be read: ${messageOf(thrown)}`, { file }, thrown);
}
