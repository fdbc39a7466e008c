/**
 * The strength of the evidence in a sentence, with reasons by weight. Pure.
 *
 * The best-of-many test (docs/metrics.md, "Overfitting") sets the level: above weak at p ≤ 0.05, strong at p ≤ 0.005
 * with a deflated Sharpe ratio of 0.95. Everything else only lowers it.
 */
export const verdictLevels = ['none', 'weak', 'moderate', 'strong'] as const;
export type VerdictLevel = (typeof verdictLevels)[number];

export interface VerdictInput {
  readonly looksAhead: boolean;
  /** What the look-ahead check leaves out, or null. */
  readonly notCovered: string | null;
  /** Failed search trials; stress runs have their own rows. */
  readonly failed: number;
  readonly tradingPnl: number | null;
  readonly trades: number;
  /** How many of equal size they are worth; null where no size is known. */
  readonly effectiveTrades: number | null;
  /** Orders with a fill. */
  readonly orders: number;
  readonly days: number;
  readonly dsr: number | null;
  /** Of the judged trial among all tries; null when the test was impossible. */
  readonly pValue: number | null;
  readonly pUnknown?: string;
  readonly t: number | null;
  readonly tries: number;
  /** Null without a search. This and the next two: or why it is missing. */
  readonly pbo: number | string | null;
  /** `pValue`: as the best of all tries. */
  readonly timing: { readonly pValue: number; readonly timing: number; readonly execution: number } | string;
  /** `efficiency`: null without a gain in training. */
  readonly walkForward: { readonly gainedShare: number; readonly efficiency: number | null } | string;
  /** Losing rows, those of them that failed, and all. */
  readonly stress: { readonly losing: number; readonly dead: number; readonly rows: number };
  /** Null while closed. */
  readonly lockbox: { readonly tradingPnl: number | null } | null;
  /** Including this one. */
  readonly openings: number;
  /** Earlier trials that ran over the lockbox's period. */
  readonly lockboxSeenBy: number;
}

export interface Verdict {
  readonly level: VerdictLevel;
  readonly sentence: string;
  readonly reasons: readonly string[];
}

const P_MODERATE = 0.05;
const P_STRONG = 0.005;
const DSR_STRONG = 0.95;
const TRADES_FEW = 30;
/** The share of all trades below which the sentence says how many bets they are. */
const WORTH_SAYING = 0.75;
const DAYS_FEW = 7;
const PBO_HIGH = 0.5;
const P_TIMING_MODERATE = 0.1;
const P_TIMING_STRONG = 0.05;
/** Ten years of a Sharpe ratio above 3: errors are met more often. */
const T_TOO_GOOD = 10;

/** An objection and the highest level it allows. */
interface Doubt {
  readonly reason: string;
  readonly atMost: 'weak' | 'moderate';
}

export function verdictOf(input: VerdictInput): Verdict {
  const { looksAhead, tradingPnl, trades } = input;
  if (looksAhead) {
    return {
      level: 'none',
      sentence: 'No evidence: decisions change with data that come after them.',
      reasons: ['it looks ahead: nothing else on this page means anything'],
    };
  }
  const doubts = doubtsOf(input).toSorted((a, b) => rankOf(a.atMost) - rankOf(b.atMost));
  const reasons = doubts.map(({ reason }) => reason);
  if (trades === 0) {
    const why = input.orders === 0 ? 'it does not trade' : 'it never closes what it opens';
    return { level: 'none', sentence: `No evidence: ${why}.`, reasons };
  }
  const seen = seenOf(input);
  if (tradingPnl === null || tradingPnl <= 0) {
    const made = tradingPnl === null ? 'what trading made cannot be valued' : 'trading loses money after costs';
    return { level: 'none', sentence: `No evidence of an edge: ${made} (${seen}).`, reasons };
  }
  const level = doubts[0]?.atMost ?? 'strong';
  const closed = level === 'strong' && input.lockbox === null ? '; the lockbox is still closed' : '';
  return { level, sentence: `Evidence is ${level}: ${seen}${closed}.`, reasons };
}

function rankOf(level: VerdictLevel): number {
  return verdictLevels.indexOf(level);
}

function seenOf(input: VerdictInput): string {
  const { trades, dsr } = input;
  const bets = betsOf(input);
  const isFewer = bets.count < trades * WORTH_SAYING;
  const counted = isFewer ? bets.text : `${trades} ${trades === 1 ? 'trade' : 'trades'}`;
  return `${counted}, DSR ${dsr === null ? 'unknown' : dsr.toFixed(2)}`;
}

/** Not rounded to a limit that it is above. */
function chanceText(p: number): string {
  return p < 0.2 ? p.toFixed(4) : p.toFixed(2);
}

function doubtsOf(input: VerdictInput): readonly Doubt[] {
  return [
    ...luckOf(input),
    ...sampleOf(input),
    ...missingOf(input),
    ...selectionOf(input),
    ...executionOf(input),
    ...lockboxOf(input),
  ];
}

function doubt(isPresent: boolean, atMost: Doubt['atMost'], reason: () => string): readonly Doubt[] {
  return isPresent ? [{ reason: reason(), atMost }] : [];
}

/** The test that sets the level. */
function luckOf({ pValue, pUnknown, t, tries, dsr }: VerdictInput): readonly Doubt[] {
  const least = tries === 1 ? 'by luck' : `by luck as the best of ${tries} tries`;
  const tested = (p: number): string => `t ${t?.toFixed(1) ?? 'unknown'}, p ${chanceText(p)}`;
  return [
    ...doubt(
      pValue === null,
      'weak',
      () => `it cannot be distinguished from luck: ${pUnknown ?? 'the test was not made'}`,
    ),
    ...doubt((pValue ?? 0) > P_MODERATE, 'weak', () => `as good may be had ${least} (${tested(pValue ?? 1)})`),
    ...doubt(
      pValue !== null && pValue > P_STRONG && pValue <= P_MODERATE,
      'moderate',
      () => `hardly had ${least}, but not beyond doubt (${tested(pValue ?? 1)}; strong needs ${P_STRONG})`,
    ),
    ...doubt(dsr === null, 'moderate', () => 'the deflated Sharpe ratio is unknown'),
    ...doubt(
      (dsr ?? 1) < DSR_STRONG,
      'moderate',
      () => `deflated Sharpe ratio ${dsr?.toFixed(2)}, below ${DSR_STRONG}`,
    ),
  ];
}

interface Bets {
  readonly count: number;
  readonly text: string;
}

/** Partial fills are one bet: n bets take at least n + 1 orders. Dust beside a trade is none. */
function betsOf({ trades, orders, effectiveTrades }: VerdictInput): Bets {
  const sized = Math.round(effectiveTrades ?? trades);
  const all: readonly Bets[] = [
    { count: trades, text: `${trades} trades` },
    { count: Math.max(0, orders - 1), text: `${trades} trades of ${orders} orders` },
    { count: sized, text: `${trades} trades, by their sizes no more than ${sized} equal ones` },
  ];
  return all.reduce((least, bets) => (bets.count < least.count ? bets : least));
}

function sampleOf(input: VerdictInput): readonly Doubt[] {
  const { days, failed, notCovered } = input;
  const bets = betsOf(input);
  const length = days < 1 ? `${(days * 24).toFixed(1)} hours` : `${days.toFixed(1)} days`;
  return [
    ...doubt(
      bets.count < TRADES_FEW,
      'weak',
      () => `only ${bets.text}; below ${TRADES_FEW} nothing can be distinguished from luck`,
    ),
    ...doubt(days < DAYS_FEW, 'weak', () => `${length} of data: one mood of the market`),
    ...doubt(notCovered !== null, 'moderate', () => `look-ahead proof: ${notCovered}`),
    ...doubt(failed > 0, 'moderate', () => `${failed} ${failed === 1 ? 'trial' : 'trials'} of the search failed`),
  ];
}

/** A part that could not be made never helps. */
function missingOf({ pbo, timing, walkForward, stress }: VerdictInput): readonly Doubt[] {
  const missing = (name: string, part: unknown): readonly Doubt[] =>
    doubt(typeof part === 'string', 'moderate', () => `${name} is missing: ${String(part)}`);
  return [
    ...missing('walk-forward', walkForward),
    ...doubt(
      typeof walkForward === 'object' && walkForward.efficiency === null,
      'moderate',
      () => 'walk-forward: it gained nothing in training that the tests could keep',
    ),
    ...missing('the probability of overfitting', pbo),
    ...missing('the test of timing', timing),
    ...doubt(stress.rows === 0, 'moderate', () => 'no kind of worse execution was tried'),
  ];
}

function selectionOf(input: VerdictInput): readonly Doubt[] {
  const { t } = input;
  const pbo = typeof input.pbo === 'number' ? input.pbo : 0;
  const { gainedShare: gained, efficiency } =
    typeof input.walkForward === 'string' ? { gainedShare: 1, efficiency: 1 } : input.walkForward;
  // Spread income needs no timing.
  const timing = typeof input.timing === 'object' && input.timing.timing > input.timing.execution ? input.timing : null;
  return [
    ...doubt(
      pbo > PBO_HIGH,
      'moderate',
      () => `probability of overfitting ${pbo.toFixed(2)}: what the search chooses does not stay the best`,
    ),
    ...doubt(gained < 0.5, 'weak', () => `it gained in ${(gained * 100).toFixed(0)} % of the test parts`),
    ...doubt(
      (efficiency ?? 1) < 0.5,
      'moderate',
      () => `out of sample it earned ${((efficiency ?? 1) * 100).toFixed(0)} % of what it did in sample`,
    ),
    // What the market gives to any such position is no edge.
    ...doubt(
      timing !== null && timing.pValue > P_TIMING_STRONG,
      (timing?.pValue ?? 1) > P_TIMING_MODERATE ? 'weak' : 'moderate',
      () => `the same positions would have earned as much at other times (p ${chanceText(timing?.pValue ?? 1)})`,
    ),
    ...doubt(
      timing !== null && (t ?? 0) >= T_TOO_GOOD,
      'moderate',
      () => `too good to be true (t ${t?.toFixed(1)}): look for the future in the data or in the strategy`,
    ),
  ];
}

function executionOf({ stress: { losing, dead, rows } }: VerdictInput): readonly Doubt[] {
  const failures = dead === 0 ? '' : `, in ${dead} of them by a failure`;
  const loses = (): string => `it loses in ${losing} of ${rows} kinds of worse execution${failures}`;
  return doubt(losing > 0, losing > rows / 2 ? 'weak' : 'moderate', loses);
}

function lockboxOf({ lockbox, openings, lockboxSeenBy }: VerdictInput): readonly Doubt[] {
  const isUsed = openings > (lockbox === null ? 0 : 1);
  const times = openings === 1 ? 'once' : `${openings} times`;
  const trials = lockboxSeenBy === 1 ? '1 earlier trial' : `${lockboxSeenBy} earlier trials`;
  return [
    ...doubt(lockbox !== null && !((lockbox.tradingPnl ?? 0) > 0), 'weak', () => 'it does not earn in the lockbox'),
    ...doubt(isUsed, 'moderate', () => `the lockbox of these data was opened ${times}: it is no longer unseen`),
    ...doubt(lockboxSeenBy > 0, 'moderate', () => `${trials} ran over the lockbox: it was not unseen`),
  ];
}
