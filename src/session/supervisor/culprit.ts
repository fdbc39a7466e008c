/** Attributes a stack to a strategy and a line of its files. */
import type { Frame } from './main-thread.ts';

export interface WatchedStrategy {
  readonly tag: string;
  /** Absolute paths. */
  readonly files: readonly string[];
}

export interface Culprit {
  /** Null without a strategy on the stack. */
  readonly strategy: string | null;
  /** `FILE:LINE`, or null. */
  readonly place: string | null;
}

/** Names all that share the file if none was entered (after an `await`). */
export function culpritOf(frames: readonly Frame[], strategies: readonly WatchedStrategy[]): Culprit {
  const own = frames.find(({ file }) => strategies.some(({ files }) => files.includes(file)));
  const entered = frames.find((frame) => frame.entered !== null)?.entered ?? null;
  const sharing = strategies.filter(({ files }) => own !== undefined && files.includes(own.file));
  const strategy = entered ?? (sharing.length === 0 ? null : sharing.map(({ tag }) => tag).join(' or '));
  const shown = own ?? frames.find(({ file }) => file !== '');
  return { strategy, place: shown === undefined ? null : `${shown.file}:${shown.line}` };
}
