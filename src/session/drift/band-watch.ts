/** Compares a running session with the band of its validation. Reports when it leaves the band and when it returns. */
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import { BandJudge, type Band, type Judgement, type Standing } from './band.ts';

const LOOK_MS = 1_000;

export interface BandWatch {
  readonly band: Band;
  readonly clock: Pick<Clock, 'every' | 'now'>;
  /** Of the session, Unix ms. */
  readonly startedAt: number;
  /** Reporting currency; null: not known yet. */
  readonly capital: () => number;
  readonly netPnl: () => number | null;
  readonly logger: Logger;
  /** It left the band: once, until it was inside again. */
  readonly left: (standing: Exclude<Standing, 'inside'>, message: string) => void;
}

export function watchBand({ band, clock, startedAt, capital, netPnl, logger, left }: BandWatch): Cancel {
  const judge = new BandJudge(band);
  let before: Standing = 'inside';
  let isOver = false;
  const growth = (): number | null => {
    const [start, made] = [capital(), netPnl()];
    return start > 0 && made !== null ? 1 + made / start : null;
  };
  return clock.every(LOOK_MS, () => {
    const elapsedMs = clock.now() - startedAt;
    const judged = judge.look(elapsedMs, growth);
    if (judged !== null) {
      if (judged.standing !== 'inside' && judged.standing !== before) left(judged.standing, textOf(judged));
      if (judged.standing === 'inside' && before !== 'inside') logger.warn({}, `back in the band: ${textOf(judged)}`);
      before = judged.standing;
    }
    if (isOver || !judge.isOver(elapsedMs)) return;
    isOver = true;
    logger.warn({}, 'the session is older than the band of its validation reaches: it is compared no more');
  });
}

function textOf({ stop, standing, growth }: Judgement): string {
  const levels = [growth, stop.low, stop.high];
  const [result, low, high] = percentsOf(levels);
  const where = standing === 'inside' ? 'within' : standing;
  return `the result is ${result} after ${spanText(stop.afterMs)}, ${where} the band of the validation (${low} to ${high})`;
}

const DIGITS_MAX = 8;

/** With as many decimals, two at least, as show that they differ. */
function percentsOf(levels: readonly number[]): readonly string[] {
  const rounded = (digits: number): readonly number[] =>
    levels.map((level) => Number(((level - 1) * 100).toFixed(digits)));
  let digits = 2;
  while (digits < DIGITS_MAX && new Set(rounded(digits)).size < new Set(levels).size) digits++;
  return rounded(digits).map((percent) => `${(percent || 0).toFixed(digits)} %`);
}

function spanText(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(0)} s`;
  return ms < 3_600_000 ? `${(ms / 60_000).toFixed(1)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}
