/** What the library's judge found, as `findings.json` keeps it: numbers, periods and sentences, no market data. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const finding = z.object({
  market: z.string(),
  /** Unix ms; the part of the data that is not kept in the lockbox. */
  from: z.number(),
  to: z.number(),
  /** As `--param` has them, separated by blanks. */
  params: z.string(),
  currency: z.string(),
  /** Of own trading after fees, and the fees. */
  netPnl: z.number(),
  fees: z.number(),
  trades: z.number(),
  level: z.string(),
  sentence: z.string(),
});

const schema = z.record(z.string(), z.object({ sample: finding.optional(), real: finding.optional() }));

export type Finding = z.infer<typeof finding>;
export type Findings = z.infer<typeof schema>;

export const FINDINGS_FILE = join(import.meta.dirname, 'findings.json');

export function readFindings(): Findings {
  return schema.parse(JSON.parse(readFileSync(FINDINGS_FILE, 'utf8')));
}

const DAY_MS = 86_400_000;

/** `2022-01-01 to 2022-01-25`; of less than a day the minutes. */
export function periodText({ from, to }: Finding): string {
  const at = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
  if (to - from >= DAY_MS) return `${at(from).slice(0, 10)} to ${at(to).slice(0, 10)}`;
  return `${at(from)} UTC, ${((to - from) / 60_000).toFixed(1)} minutes`;
}

export function madeText({ netPnl, fees, trades, currency }: Finding): string {
  const made = `${netPnl < 0 ? '−' : '+'}${Math.abs(netPnl).toFixed(2)} ${currency}`;
  return `${made} in ${trades} ${trades === 1 ? 'trade' : 'trades'} after ${fees.toFixed(2)} of fees`;
}
