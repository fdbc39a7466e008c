/** Comma-separated lines, quotes allowed, no line breaks in fields. */
import { isDay } from '../../model/time.ts';

export function splitCsv(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? '';
    if (char === '"' && quoted && line[at + 1] === '"') {
      field += '"';
      at++;
    } else if (char === '"') {
      quoted = !quoted;
    } else if (char === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else {
      field += char;
    }
  }
  fields.push(field);
  return fields;
}

/** Columns by name. */
export class Columns {
  readonly #at: ReadonlyMap<string, number>;

  constructor(names: readonly string[]) {
    this.#at = new Map(names.map((name, index) => [name, index]));
  }

  /** Position, or -1. */
  at(...names: readonly string[]): number {
    for (const name of names) {
      const index = this.#at.get(name);
      if (index !== undefined) return index;
    }
    return -1;
  }
}

export function headerNames(line: string): string[] {
  return splitCsv(line.trim()).map((name) => name.trim().toLowerCase());
}

/**
 * Unix s, ms, µs or ns digits (by length), or ISO 8601 (default UTC), as µs; else `NaN`. Nanoseconds are cut as text.
 */
export function usOfText(text: string): number {
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) {
    if (trimmed.length >= 18) return Number(trimmed.slice(0, -3));
    if (trimmed.length >= 15) return Number(trimmed);
    if (trimmed.length >= 12) return Number(trimmed) * 1000;
    return Number(trimmed) * 1_000_000;
  }
  if (/^\d+\.\d+$/.test(trimmed)) {
    const value = Number(trimmed);
    return Math.round(trimmed.indexOf('.') >= 12 ? value * 1000 : value * 1_000_000);
  }
  return isoUs(trimmed);
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:\.(\d{1,9}))?(Z|[+-]\d{2}:?\d{2}| ?UTC)?)?$/;

function isoUs(text: string): number {
  const match = ISO.exec(text);
  if (match === null) return Number.NaN;
  const [, day = '', time = '00:00', fraction = '', zone = 'Z'] = match;
  if (!isDay(day)) return Number.NaN;
  const ms = Date.parse(`${day}T${time}${zone.includes('UTC') ? 'Z' : zone}`);
  return ms * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
