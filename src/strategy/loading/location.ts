/** File, line and column from a stack. A reload query (`?v=2`) is cut off. */
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface SourceLocation {
  /** Absolute path. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const FRAME = /(?:\(|at (?:async )?)((?:file:\/\/)?\/[^():]*?|[A-Za-z]:\\[^():]*?)(?:\?[^:()]*)?:(\d+):(\d+)\)?$/;

function pathOf(text: string): string | undefined {
  if (!text.startsWith('file://')) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

/** Innermost first, without Node's own. */
export function framesOf(stack: string | undefined): readonly SourceLocation[] {
  if (stack === undefined) return [];
  const frames: SourceLocation[] = [];
  for (const text of stack.split('\n')) {
    const match = FRAME.exec(text.trimEnd());
    const file = match?.[1] === undefined ? undefined : pathOf(match[1]);
    if (match === null || file === undefined) continue;
    frames.push({ file, line: Number(match[2]), column: Number(match[3]) });
  }
  return frames;
}

/** Innermost frame in `files`. */
export function locate(stack: string | undefined, files: Pick<ReadonlySet<string>, 'has'>): SourceLocation | undefined {
  return framesOf(stack).find((frame) => files.has(frame.file));
}

export function stackOf(thrown: unknown): string | undefined {
  return thrown instanceof Error ? thrown.stack : undefined;
}

/** Deep enough to reach the strategy through RxJS. */
export function captureStack(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const { stack } = new Error('stack');
  Error.stackTraceLimit = limit;
  return stack ?? '';
}

/** The first frame outside of the strategy room, whose code, sources or compiled, took the stack by `captureStack`. */
export function callerOf(stack: string): SourceLocation | undefined {
  const frames = framesOf(stack);
  const room = `${dirname(dirname(frames[0]?.file ?? ''))}${sep}`;
  return frames.find(({ file }) => !file.startsWith(room));
}

export function locationText(location: SourceLocation | undefined): string {
  return location === undefined ? 'unknown place' : `${location.file}:${location.line}`;
}
