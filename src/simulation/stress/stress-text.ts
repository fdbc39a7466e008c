/**
 * What is injected, in words for `assumptions`.
 */
import type { StressOptions, StressSchedule } from './options.ts';

export function stressText({ outages, bursts, burstFactor, gaps, fees }: StressOptions): string | null {
  const parts = [
    ...scheduleText('outages', outages),
    ...scheduleText(`latency × ${burstFactor}`, bursts),
    ...scheduleText('stream gaps', gaps),
    ...fees.map(({ atMs, maker, taker }) => `fees ${maker}/${taker} from ${atMs / 1000} s on`),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}

function scheduleText(name: string, schedule: StressSchedule): readonly string[] {
  if (!Array.isArray(schedule)) {
    return [`${name} every ${schedule.everyMs / 1000} s for ${schedule.forMs / 1000} s on average`];
  }
  if (schedule.length === 0) return [];
  const shown = schedule.slice(0, 5).map(({ atMs, forMs }) => `${atMs / 1000}–${(atMs + forMs) / 1000} s`);
  return [`${name} at ${shown.join(', ')}${schedule.length > 5 ? ` and ${schedule.length - 5} more` : ''}`];
}
