/** Import formats by name. */
import { binanceCollector } from './binance-collector.ts';
import { binanceVision } from './binance-vision.ts';
import { candlesCsv } from './candles-csv.ts';
import type { Importer, ImportFormat } from './importer.ts';
import { jsonl } from './jsonl.ts';
import { tardisCsv } from './tardis-csv.ts';

export const IMPORTERS: Readonly<Record<ImportFormat, Importer>> = Object.freeze({
  'binance-collector': binanceCollector,
  'tardis-csv': tardisCsv,
  'binance-vision': binanceVision,
  'candles-csv': candlesCsv,
  jsonl,
});

export const IMPORT_FORMATS: readonly string[] = Object.freeze(Object.keys(IMPORTERS));

export function isImportFormat(name: string): name is ImportFormat {
  return Object.hasOwn(IMPORTERS, name);
}
