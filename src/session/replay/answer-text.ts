/**
 * Answers to a strategy as text. A state that is asked for is dated now: such a date is written as a word, so that the same
 * state asked for a moment later is the same text, and is dated anew when it is read.
 */
import { US_PER_MS } from '../../model/time.ts';

const NOW = '@now';

/** JSON; undefined for nothing. */
export function answerText(answer: unknown, nowUs: number): string | undefined {
  const now = nowUs / US_PER_MS;
  return JSON.stringify(answer, (key, value: unknown) => (key === 'ts' && value === now ? NOW : value));
}

/** Whether it depends on when it is read. */
export function isDated(text: string | undefined): boolean {
  return text?.includes(`"ts":"${NOW}"`) ?? false;
}

/** The answer again, frozen as the session's own were. */
export function answerOf(text: string | undefined, nowUs: number): unknown {
  if (text === undefined) return undefined;
  return JSON.parse(text, (key, value: unknown) =>
    key === 'ts' && value === NOW ? nowUs / US_PER_MS : Object.freeze(value),
  );
}
