/** UTC to the minute, for tables of 80 columns. */
export function minuteText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** UTC to the second; empty for null. */
export function timeText(ms: number | null): string {
  return ms === null ? '' : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
