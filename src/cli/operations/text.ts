/** Values as people read them in the tables of operation commands. */

/** UTC to the minute, for tables that have to fit a terminal of 80 columns. */
export function minuteText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** UTC to the second, or nothing. */
export function timeText(ms: number | null): string {
  return ms === null ? '' : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
