/** Numbers, UTC times and durations as text. Null is an en dash. */
import { placesOf } from '../../model/text/money-text.ts';
import type { CountedIn } from '../../session/result/result.ts';

export const NONE = '–';

const MINUS = '−';

/** Grouped digits with `decimals` places. */
export function fixed(value: number, decimals: number): string {
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  const zero = !/[1-9]/.test(text);
  return value < 0 && !zero ? `${MINUS}${text}` : text;
}

export function money(value: number): string {
  return fixed(value, placesOf(value));
}

/** About four digits, for ratios and factors. */
export function general(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return fixed(value, 0);
  if (size >= 100) return fixed(value, 1);
  if (size >= 1 || size === 0) return fixed(value, 2);
  return size < 0.0001 ? value.toExponential(2).replaceAll('-', MINUS) : fixed(value, 4);
}

export function count(value: number): string {
  return fixed(value, 0);
}

export function signed(text: string, value: number): string {
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1000, 's'],
];

/** The two largest units: `"2 d 3 h"`, `"20 s"`, `"1.5 s"`, `"340 ms"`. */
export function duration(ms: number): string {
  const rounded = Math.round(ms);
  if (rounded < 1000) return `${rounded} ms`;
  if (rounded < 60_000) return `${trimmed(rounded / 1000)} s`;
  const first = UNITS.findIndex(([unit]) => rounded >= unit);
  const [large, largeName] = UNITS[first]!;
  const whole = Math.floor(rounded / large);
  const small = UNITS[first + 1];
  const rest = small === undefined ? 0 : Math.floor((rounded - whole * large) / small[0]);
  return rest === 0 || small === undefined
    ? `${count(whole)} ${largeName}`
    : `${count(whole)} ${largeName} ${rest} ${small[1]}`;
}

function trimmed(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

/** `2024-08-08 00:00:00`, UTC; out of range as a number. */
export function time(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString().slice(0, 19).replace('T', ' ');
}

export function timeMs(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString().slice(0, 23).replace('T', ' ');
}

/** The count grows later. */
export function countedText({ file, trials, at }: CountedIn): string {
  return `${count(trials)} in ${file}, ${time(at)} UTC`;
}
