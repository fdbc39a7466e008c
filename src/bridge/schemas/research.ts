/** Results and searches on disk, and recordings. */
import { z } from 'zod';
import { decimal, timeMs } from './common.ts';

export const sweepProgress = z.object({
  state: z
    .enum(['running', 'interrupted', 'ended', 'broken off'])
    .describe('broken off: its process is gone without an end'),
  done: z.int().describe('Trials that have ended'),
  asked: z.int(),
  startedAt: timeMs,
  at: timeMs.describe('When the last trial ended'),
});

export const resultRow = z.object({
  id: z.string().describe('For `results/:id`'),
  kind: z.enum(['backtest', 'paper', 'run', 'sweep', 'validate']),
  file: z.string(),
  session: z.string().nullable().describe('Id of the session in whose folder it lies'),
  strategy: z.string(),
  from: timeMs,
  to: timeMs,
  at: timeMs.describe('When the file was written'),
  bytes: z.number(),
  currency: z.string().nullable(),
  stats: z
    .record(z.string(), z.unknown())
    .describe(
      'Metrics of docs/metrics.md; of a search, those of its best trial; of a validation, those of the data that it judges',
    ),
  verdict: z.string().nullable().describe('Of a validation, its level: none, weak, moderate, strong'),
  warnings: z.int(),
  progress: sweepProgress.nullable().describe('Of a search without a result file yet'),
});

export const resultList = z.object({ results: z.array(resultRow).describe('Newest first, at most 500') });

/** The file as `--result` wrote it; its schema is that of the command. */
export const resultDocument = z.looseObject({ command: z.string() });

/** `progress` is absent from a result file: such a search is over. */
export const sweepDocument = resultDocument.extend({ progress: sweepProgress.optional() });

const driftSide = z.object({ pnl: decimal, trading: decimal, funding: decimal, fills: z.int() });
const driftParts = z.record(z.string(), decimal).describe('By cause, docs/drift.md');

export const driftReport = z.object({
  session: z.string(),
  mode: z.enum(['paper', 'live']),
  at: timeMs.describe('When `drift` was run'),
  currency: z.string(),
  period: z.object({ from: timeMs, to: timeMs }),
  result: z.object({ session: driftSide, backtest: driftSide }),
  gap: decimal.describe('Session less backtest'),
  parts: driftParts.describe('They add up to the gap'),
  orders: z.object({
    sent: z.int(),
    differ: z.int(),
    largest: z.array(z.object({ strategy: z.string(), ref: z.string(), symbol: z.string(), effects: driftParts })),
  }),
  warnings: z.array(z.string()),
});

export const driftAnswer = z.object({
  report: driftReport.nullable().describe('Null: `drift` was not run on this session since its end'),
  command: z.string().describe('The command that makes it'),
});

export const recordingRow = z.object({
  path: z.string(),
  session: z.string().nullable(),
  source: z.string(),
  symbols: z.array(z.string()),
  channels: z.array(z.string()),
  from: timeMs.nullable(),
  to: timeMs.nullable(),
  bytes: z.number(),
  files: z.int(),
  running: z.boolean(),
  problems: z.array(z.string()).describe('Gaps and damage, in sentences'),
});

export const recordingList = z.object({ recordings: z.array(recordingRow) });

export const settingsAnswer = z.object({
  settings: z.array(
    z.object({
      path: z.string(),
      value: z.unknown().describe('Secrets are left out'),
      layer: z.string().describe('The layer that won: default, file, environment or command line'),
      about: z.string().nullable(),
    }),
  ),
});

export type SweepProgress = z.infer<typeof sweepProgress>;
export type DriftReport = z.infer<typeof driftReport>;
export type DriftAnswer = z.infer<typeof driftAnswer>;
export type ResultRow = z.infer<typeof resultRow>;
export type ResultList = z.infer<typeof resultList>;
export type RecordingRow = z.infer<typeof recordingRow>;
export type RecordingList = z.infer<typeof recordingList>;
export type SettingsAnswer = z.infer<typeof settingsAnswer>;
