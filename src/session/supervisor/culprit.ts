/**
 * Whose code a stack stands in: the strategy that was entered last, and the innermost line of its own files. Pure.
 */
import type { Frame } from './main-thread.ts';

export interface WatchedStrategy {
  readonly tag: string;
  /** Its file and those of its own that it imports, absolute paths. */
  readonly files: readonly string[];
}

export interface Culprit {
  /** Null where no strategy's code stands on the stack. */
  readonly strategy: string | null;
  /** `FILE:LINE`; null where nothing of the stack could be read. */
  readonly place: string | null;
}

/** Several names where strategies share the file and none was entered through the session (after an `await`). */
export function culpritOf(frames: readonly Frame[], strategies: readonly WatchedStrategy[]): Culprit {
  const own = frames.find(({ file }) => strategies.some(({ files }) => files.includes(file)));
  const entered = frames.find((frame) => frame.entered !== null)?.entered ?? null;
  const sharing = strategies.filter(({ files }) => own !== undefined && files.includes(own.file));
  const strategy = entered ?? (sharing.length === 0 ? null : sharing.map(({ tag }) => tag).join(' or '));
  const shown = own ?? frames.find(({ file }) => file !== '');
  return { strategy, place: shown === undefined ? null : `${shown.file}:${shown.line}` };
}
