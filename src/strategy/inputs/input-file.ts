/** An input file of a strategy, as `file()` answers it: bytes that were read and hashed once. */
import { z } from 'zod';
import { messageOf } from '../../model/errors.ts';
import { strategyErrors } from '../errors.ts';
import { csvRows, type CsvRow } from './csv-rows.ts';

export interface InputFile {
  /** As `file()` was called. */
  readonly name: string;
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
  /** UTF-8, without a byte order mark. */
  readonly text: string;
  /** The text as JSON, a new value at each call; with a schema what that makes of it. Throws `strategy_file_invalid`. */
  json(): unknown;
  json<Schema extends z.ZodType>(schema: Schema): z.output<Schema>;
  /**
   * The text as CSV with a header line: an object a row, all values text; with a schema what that makes of each row.
   * Throws `strategy_file_invalid` with the line.
   */
  rows(): readonly CsvRow[];
  rows<Schema extends z.ZodType>(schema: Schema): readonly z.output<Schema>[];
}

function invalid(name: string, problem: string, cause: unknown): Error {
  return strategyErrors.make('strategy_file_invalid', `${name}: ${problem}`, { name }, cause);
}

function problemOf(thrown: unknown): string {
  return thrown instanceof z.ZodError ? z.prettifyError(thrown) : messageOf(thrown);
}

export function inputFile(name: string, bytes: Uint8Array, hash: string): InputFile {
  const text = new TextDecoder().decode(bytes);
  const json = (schema?: z.ZodType): unknown => {
    try {
      const value: unknown = JSON.parse(text);
      return schema === undefined ? value : schema.parse(value);
    } catch (thrown) {
      throw invalid(name, problemOf(thrown), thrown);
    }
  };
  const rows = (schema?: z.ZodType): readonly unknown[] => {
    let at = 0;
    try {
      const found = csvRows(text);
      return schema === undefined ? found : found.map((row) => ((at += 1), schema.parse(row)));
    } catch (thrown) {
      throw invalid(name, `${at === 0 ? '' : `row ${at} after the header: `}${problemOf(thrown)}`, thrown);
    }
  };
  return Object.freeze({ name, hash, text, json, rows }) as InputFile;
}
