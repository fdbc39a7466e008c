/** The compared results; the first is the reference. */
import type { ResultDocument } from '../../../session/result/result.ts';
import { duration, time } from '../format.ts';

export interface NamedResult {
  /** Path of its file. */
  readonly name: string;
  readonly result: ResultDocument;
}

export interface Compared extends NamedResult {
  readonly letter: string;
}

export function lettered(results: readonly NamedResult[]): readonly Compared[] {
  return results.map((named, index) => ({ ...named, letter: String.fromCharCode(65 + index) }));
}

/** Share of the shorter period covered by the other. */
function overlap({ period: a }: ResultDocument, { period: b }: ResultDocument): number {
  const shorter = Math.min(a.to - a.from, b.to - b.from);
  const shared = Math.min(a.to, b.to) - Math.max(a.from, b.from);
  return shorter > 0 ? Math.max(0, shared) / shorter : 0;
}

/** Whether all fit one calendar; else curves are drawn by time since start. */
export function shareCalendar(compared: readonly Compared[]): boolean {
  const [first, ...others] = compared;
  return first !== undefined && others.every(({ result }) => overlap(first.result, result) >= 0.5);
}

/** Letters of the results by shared value. */
function byValue(compared: readonly Compared[], valueOf: (result: ResultDocument) => string): [string, string][] {
  const letters = new Map<string, string[]>();
  for (const { letter, result } of compared) {
    const value = valueOf(result);
    letters.set(value, [...(letters.get(value) ?? []), letter]);
  }
  return [...letters].map(([value, list]) => [value, list.join(', ')]);
}

const periodOf = ({ period }: ResultDocument): string => `${time(period.from)} to ${time(period.to)}`;
const lengthOf = ({ period }: ResultDocument): string => duration(period.to - period.from);

/** Differences that limit the comparison, one sentence each. */
export function caveatsOf(compared: readonly Compared[]): readonly string[] {
  const caveats: string[] = [];
  const told = (valueOf: (result: ResultDocument) => string, sentence: (list: string) => string): void => {
    const groups = byValue(compared, valueOf);
    if (groups.length > 1) caveats.push(sentence(groups.map(([value, letters]) => `${letters}: ${value}`).join('; ')));
  };
  told(
    ({ currency }) => currency,
    (list) => `The currencies differ (${list}): amounts are not compared, curves are in percent of each start.`,
  );
  told(periodOf, (list) => `The periods differ (${list}): a difference may be the market's.`);
  told(lengthOf, (list) => `The lengths differ (${list}): sums such as P&L, fees and trades are not for equal times.`);
  told(
    ({ hashes }) => hashes?.data?.slice(0, 12) ?? 'not known',
    (list) => `The data differ (${list}).`,
  );
  told(
    ({ command }) => (command === 'run' ? 'live' : 'simulated'),
    (list) => `Real and simulated fills are compared (${list}).`,
  );
  told(
    ({ conventions }) => (conventions === undefined ? 'not known' : `${duration(conventions.sampleMs)} returns`),
    (list) => `The ratios rest on different returns (${list}).`,
  );
  told(
    ({ equity }) => `${equity[0]![1].toFixed(0)}`,
    (list) => `The starting equities differ (${list}).`,
  );
  if (!shareCalendar(compared))
    caveats.push('The periods hardly overlap: curves are drawn over the time since each start.');
  return caveats;
}
