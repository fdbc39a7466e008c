/** Answers to a strategy as text, with a placeholder for present dates. */
import { US_PER_MS } from '../../model/time.ts';

const NOW = '@now';

export function answerText(answer: unknown, nowUs: number): string | undefined {
  const now = nowUs / US_PER_MS;
  return JSON.stringify(answer, (key, value: unknown) => (key === 'ts' && value === now ? NOW : value));
}

/** Whether it depends on the time of reading. */
export function isDated(text: string | undefined): boolean {
  return text?.includes(`"ts":"${NOW}"`) ?? false;
}

export function answerOf(text: string | undefined, nowUs: number): unknown {
  if (text === undefined) return undefined;
  return JSON.parse(text, (key, value: unknown) =>
    key === 'ts' && value === NOW ? nowUs / US_PER_MS : Object.freeze(value),
  );
}
