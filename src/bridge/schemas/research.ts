/** Results and searches on disk, and recordings. */
import { z } from 'zod';
import { timeMs } from './common.ts';

export const resultRow = z.object({
  id: z.string().describe('For `results/:id`'),
  kind: z.enum(['backtest', 'paper', 'run', 'sweep', 'validate']),
  file: z.string(),
  strategy: z.string(),
  from: timeMs,
  to: timeMs,
  at: timeMs.describe('When the file was written'),
  bytes: z.number(),
  currency: z.string().nullable(),
  stats: z.record(z.string(), z.unknown()).describe('Metrics of docs/metrics.md; of a search, those of its best trial'),
  verdict: z.string().nullable().describe('Of a validation'),
  warnings: z.int(),
});

export const resultList = z.object({ results: z.array(resultRow).describe('Newest first, at most 500') });

/** The file as `--result` wrote it; its schema is that of the command. */
export const resultDocument = z.looseObject({ command: z.string() });

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

export type ResultRow = z.infer<typeof resultRow>;
export type ResultList = z.infer<typeof resultList>;
export type RecordingRow = z.infer<typeof recordingRow>;
export type RecordingList = z.infer<typeof recordingList>;
export type SettingsAnswer = z.infer<typeof settingsAnswer>;
