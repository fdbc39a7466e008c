/** The file of `data import --instrument`: one instrument or a list, JSON. Contracts are linear (docs/simulation.md). */
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { messageOf } from '../../model/errors.ts';
import type { InstrumentSpec } from '../../model/market/instrument.ts';
import { dec } from '../../model/numbers/money.ts';
import { nearest } from '../../model/text/nearest.ts';
import { recordingErrors } from '../errors.ts';
import { instrumentSchema } from '../frames/manifest.ts';

/** Minima and status are optional. */
const schema = instrumentSchema.strict().extend({
  base: instrumentSchema.shape.base.min(1),
  quote: instrumentSchema.shape.quote.min(1),
  minQuantity: instrumentSchema.shape.minQuantity.default('0'),
  maxQuantity: instrumentSchema.shape.maxQuantity.default('1000000000'),
  minNotional: instrumentSchema.shape.minNotional.default('0'),
  status: instrumentSchema.shape.status.default('trading'),
});

/** By symbol. @throws import_bad_instrument */
export function readInstruments(path: string, symbols: readonly string[]): ReadonlyMap<string, InstrumentSpec> {
  const json = readJson(path);
  const bySymbol = new Map<string, InstrumentSpec>();
  for (const row of Array.isArray(json) ? json : [json]) {
    const parsed = schema.safeParse(row);
    if (!parsed.success) throw bad(path, complaint(parsed.error.issues[0]));
    const problem = problemOf(parsed.data);
    if (problem !== null) throw bad(path, `${parsed.data.symbol}: ${problem}`);
    bySymbol.set(parsed.data.symbol, parsed.data);
  }
  const missing = symbols.filter((symbol) => !bySymbol.has(symbol));
  if (missing.length === 0) return bySymbol;
  throw bad(path, `it describes ${[...bySymbol.keys()].join(', ')}, not ${missing.join(', ')}`);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (thrown) {
    throw bad(path, messageOf(thrown));
  }
}

function bad(path: string, why: string): Error {
  return recordingErrors.make('import_bad_instrument', `${path}: ${why}`, { path });
}

function complaint(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'unrecognized_keys') return `${issue?.path.join('.')}: ${issue?.message}`;
  const [key = ''] = issue.keys;
  const known = Object.keys(schema.shape);
  const [near] = nearest(key, known);
  return `unknown key ${key}; ${near === undefined ? `known keys: ${known.join(', ')}` : `did you mean ${near}?`}`;
}

/** What no exchange could trade, or this program would compute wrongly. */
function problemOf(spec: InstrumentSpec): string | null {
  const { base, quote, settle = quote, tickSize, lotSize, contractSize = '1', minQuantity, maxQuantity } = spec;
  const steps = { tickSize, lotSize, contractSize, maxQuantity };
  const zero = Object.entries(steps).find(([, text]) => dec(text).isZero());
  if (zero !== undefined) return `${zero[0]} is ${zero[1]}, it must be above zero`;
  if (base === quote) return `base and quote are both ${base}`;
  if (settle !== quote) {
    return `it settles in ${settle}, not in its quote ${quote}: inverse and quanto contracts are not computed, linear ones alone`;
  }
  const isEmpty = dec(minQuantity).gt(dec(maxQuantity));
  return isEmpty ? `minQuantity ${minQuantity} is above maxQuantity ${maxQuantity}` : null;
}
