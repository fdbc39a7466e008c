/** Times as text in the zone that the user chose, which stands beside the clock; ages and lengths with their unit. */
import { signal } from '@preact/signals';
import { NONE } from './number.ts';

export type Zone = 'UTC' | 'local';
const KEY = 'tidewire.zone';

export const zone = signal<Zone>(localStorage.getItem(KEY) === 'local' ? 'local' : 'UTC');

export function switchZone(): void {
  zone.value = zone.value === 'UTC' ? 'local' : 'UTC';
  localStorage.setItem(KEY, zone.value);
}

/** Minutes that the chosen zone is ahead of UTC at a time. */
function offsetMinutes(ms: number): number {
  return zone.value === 'UTC' ? 0 : -new Date(ms).getTimezoneOffset();
}

/** As the clock of the chosen zone shows it, to be printed as if it were UTC. */
export function shifted(ms: number): number {
  return ms + offsetMinutes(ms) * 60_000;
}

export function zoneName(ms: number): string {
  const minutes = offsetMinutes(ms);
  if (zone.value === 'UTC') return 'UTC';
  const part = Math.abs(minutes);
  const rest = part % 60 === 0 ? '' : `:${String(part % 60).padStart(2, '0')}`;
  return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(part / 60)}${rest}`;
}

const iso = (ms: number): string => (Number.isFinite(ms) ? new Date(shifted(ms)).toISOString() : '');

/** `14:03:21` */
export function clock(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? NONE : iso(ms).slice(11, 19);
}

/** `14:03:21.482` */
export function clockMs(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? NONE : iso(ms).slice(11, 23);
}

/** `2026-03-01 14:03` */
export function stamp(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? NONE : iso(ms).slice(0, 16).replace('T', ' ');
}

/** `2026-03-01 14:03:21` */
export function stampSeconds(ms: number | null | undefined): string {
  return ms === null || ms === undefined ? NONE : iso(ms).slice(0, 19).replace('T', ' ');
}

/** `250 ms`, `4.2 s`, `3 min`, `5 h 12 min`, `2 d 4 h`. */
export function length(ms: number | null | undefined): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return NONE;
  const size = Math.abs(ms);
  if (size < 1) return `${Number(size.toPrecision(2))} ms`;
  if (size < 1_000) return `${Math.round(size)} ms`;
  if (size < 10_000) return `${(size / 1_000).toFixed(1)} s`;
  if (size < 60_000) return `${Math.round(size / 1_000)} s`;
  if (size < 3_600_000) return `${Math.floor(size / 60_000)} min ${Math.floor(size / 1_000) % 60} s`;
  if (size < 86_400_000) return `${Math.floor(size / 3_600_000)} h ${Math.floor(size / 60_000) % 60} min`;
  return `${Math.floor(size / 86_400_000)} d ${Math.floor(size / 3_600_000) % 24} h`;
}
