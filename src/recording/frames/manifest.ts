/** `recording.json`: what decoding needs. Written atomically. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../model/errors.ts';
import { recordingErrors } from '../errors.ts';
import { PRIVATE_FILE } from './folder.ts';

export const MANIFEST_FILE = 'recording.json';
export const MANIFEST_FORMAT = 1;

const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'a plain decimal as text');

export const instrumentSchema = z.object({
  symbol: z.string().min(1),
  market: z.enum(['spot', 'derivative']),
  base: z.string(),
  quote: z.string(),
  tickSize: decimal,
  lotSize: decimal,
  minQuantity: decimal,
  maxQuantity: decimal,
  minNotional: decimal,
  status: z.enum(['trading', 'halted']),
  settle: z.string().exactOptional(),
  contractSize: decimal.exactOptional(),
  maxLeverage: z.number().exactOptional(),
  fundingIntervalHours: z.number().exactOptional(),
  maintenanceMarginRate: decimal.exactOptional(),
  inferred: z.boolean().exactOptional(),
});

/** Frames refer to it by `generation`. */
const inputSchema = z.object({
  /** Without directories. */
  file: z.string(),
  /** `frames`, `quotes`, `candles`, … */
  layout: z.string(),
  /** In order; empty where lines are self-describing. */
  columns: z.array(z.string()),
  /** `intervalMs`, `timestamp`, `volume`, `timeUnit`. */
  options: z.record(z.string(), z.union([z.string(), z.number()])),
});

const segmentSchema = z.object({ file: z.string(), frames: z.number(), bytes: z.number() });

const manifestSchema = z.object({
  format: z.literal(MANIFEST_FORMAT),
  /** `tidewire` for own recordings, else the importer. */
  source: z.enum(['tidewire', 'binance-collector', 'tardis-csv', 'binance-vision', 'candles-csv', 'jsonl']),
  /** Unix ms. */
  created: z.number(),
  symbols: z.array(z.string()),
  instruments: z.array(instrumentSchema),
  rules: z.record(z.string(), z.enum(['seq', 'U/u', 'pu', 'none'])),
  options: z.object({ compress: z.boolean() }),
  inputs: z.array(inputSchema),
  /** Of the import. */
  warnings: z.array(z.string()),
  /** Unusable input; makes the recording `damaged`. */
  problems: z.array(z.string()),
  /** Cleanly closed; the counts confirm their ends. */
  segments: z.array(segmentSchema),
});

export type Manifest = Readonly<z.infer<typeof manifestSchema>>;
export type InputLayout = Readonly<z.infer<typeof inputSchema>>;
export type SegmentInfo = Readonly<z.infer<typeof segmentSchema>>;
export type RecordingSource = Manifest['source'];

export function hasManifest(dir: string): boolean {
  return existsSync(join(dir, MANIFEST_FILE));
}

/** @throws recording_manifest_invalid */
export function readManifest(dir: string): Manifest {
  const path = join(dir, MANIFEST_FILE);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (thrown) {
    throw recordingErrors.make('recording_manifest_invalid', `${path}: ${messageOf(thrown)}`, { path });
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue === undefined ? '' : `${issue.path.join('.')}: ${issue.message}`;
  throw recordingErrors.make('recording_manifest_invalid', `${path}: ${where}`, { path });
}

/** Into a folder that is there: a recording that was moved away is not begun anew. @throws recording_write_failed */
export function writeManifest(dir: string, manifest: Manifest): void {
  const path = join(dir, MANIFEST_FILE);
  try {
    writeFileSync(`${path}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true, mode: PRIVATE_FILE });
    renameSync(`${path}.new`, path);
  } catch (thrown) {
    throw recordingErrors.make('recording_write_failed', `${path}: ${messageOf(thrown)}`, { path }, thrown);
  }
}
