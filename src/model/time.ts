/** Integer microseconds inside, Unix ms outside. */

export const US_PER_MS = 1000;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `"30s"`, `"5m"`, `"2h"`, `"250ms"`, `"1d"`; else `NaN`, also of what is no text. */
export function parseDuration(text: unknown): number {
  if (typeof text !== 'string') return Number.NaN;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  if (match === null) return Number.NaN;
  return Number(match[1]) * (UNITS[match[2] ?? ''] ?? Number.NaN);
}

/** ISO 8601 (default UTC) of a day that exists, or Unix ms; else `NaN`. */
export function parseTime(text: string): number {
  const trimmed = text.trim();
  if (/^-?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed);
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(trimmed) ?? [];
  if (day === undefined || !isDay(day)) return Number.NaN;
  const spaced = trimmed.replace(' ', 'T');
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(spaced) || !spaced.includes('T') ? spaced : `${spaced}Z`;
  return Date.parse(zoned);
}

/** JavaScript reads 2025-02-30 as 2 March. */
export function isDay(day: string): boolean {
  const ms = Date.parse(day);
  return Number.isFinite(ms) && utcDay(ms) === day;
}

/** Cuts the last three digits, because nanoseconds exceed 2^53. */
export function usFromNanoText(text: string): number {
  return Number(text.slice(0, -3));
}

export function msOf(us: number): number {
  return us / US_PER_MS;
}

export function usOf(ms: number): number {
  return Math.round(ms * US_PER_MS);
}

export function alignDown(ms: number, intervalMs: number): number {
  return Math.floor(ms / intervalMs) * intervalMs;
}

/** `2026-11-21` of Unix ms. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
