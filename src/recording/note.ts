/**
 * Notes in a recording: JSON rows of our own between the frames. `connected` and `lost` bound the time in which data may
 * be missing; a tape turns them into gap events (rule T5).
 */
export type RecordingNote =
  /** The socket of `connection` is open and subscribed. */
  | { readonly note: 'connected'; readonly connection: 'public' | 'private' }
  | { readonly note: 'lost'; readonly connection: 'public' | 'private'; readonly reason: string }
  /** The recorder itself dropped frames before this row (disk too slow). */
  | { readonly note: 'dropped'; readonly frames: number }
  /** Free text for people. */
  | { readonly note: 'remark'; readonly text: string };

/** The note of a row's text, or null when it is not one. */
export function parseNote(text: string): RecordingNote | null {
  try {
    const value: unknown = JSON.parse(text);
    const isNote = typeof value === 'object' && value !== null && 'note' in value && typeof value.note === 'string';
    return isNote ? (value as RecordingNote) : null;
  } catch {
    return null;
  }
}
