/** Values as people read them in the tables of operation commands. */

/** UTC to the second, or nothing. */
export function timeText(ms: number | null): string {
  return ms === null ? '' : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
