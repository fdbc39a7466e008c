/** How long or how much is kept: `90d`, or `20GB`. */
import { parseDuration } from './time.ts';

export type Keep = { readonly kind: 'age'; readonly ms: number } | { readonly kind: 'size'; readonly bytes: number };

const BYTES: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Null: neither a duration nor a size. */
export function parseKeep(text: string): Keep | null {
  const ms = parseDuration(text);
  if (ms > 0) return { kind: 'age', ms };
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s?(KB|MB|GB|TB)$/.exec(text.trim()) ?? [];
  const bytes = Math.floor(Number(amount) * (BYTES[unit] ?? Number.NaN));
  return bytes > 0 ? { kind: 'size', bytes } : null;
}

export const KEEP_EXPECTED = 'expected a duration such as "90d" or a size such as "20GB"';
