/**
 * One sentence about how good the evidence is, from everything that was measured, with the reasons in order of weight. It
 * never says that a strategy will earn: at best that nothing here speaks against it. Pure.
 */
export type VerdictLevel = 'invalid' | 'none' | 'weak' | 'moderate' | 'strong';

export interface VerdictInput {
  readonly looksAhead: boolean;
  /** What the look-ahead proof leaves out; null: nothing. */
  readonly notCovered: string | null;
  /** Trials of the search that failed; runs under stress are told by their rows. */
  readonly failed: number;
  readonly tradingPnl: number | null;
  readonly trades: number;
  /** Orders with at least one fill. */
  readonly orders: number;
  readonly days: number;
  readonly dsr: number | null;
  /** Why it is null, where there is more to say than that. */
  readonly dsrUnknown?: string;
  readonly pbo: number | null;
  readonly spaPValue: number | null;
  readonly permutationPValue: number | null;
  readonly walkForward: { readonly gainedShare: number; readonly efficiency: number | null } | null;
  /** Rows of the stress grid that do not earn, those of them whose run failed, and all. */
  readonly stress: { readonly losing: number; readonly dead: number; readonly rows: number };
  /** Null while it is closed. */
  readonly lockbox: { readonly tradingPnl: number | null; readonly openings: number } | null;
  /** Earlier trials that ran over the part of the data that is the lockbox. */
  readonly lockboxSeenBy: number;
}

export interface Verdict {
  readonly level: VerdictLevel;
  readonly sentence: string;
  readonly reasons: readonly string[];
}

const TRADES_FEW = 30;
const TRADES_ENOUGH = 200;
const DAYS_FEW = 7;
const DSR_STRONG = 0.95;
const DSR_WEAK = 0.75;

interface Doubt {
  readonly reason: string;
  /** Weak evidence whatever else is there; otherwise it only cannot be strong. */
  readonly isGrave: boolean;
}

export function verdictOf(input: VerdictInput): Verdict {
  const { looksAhead, tradingPnl, trades, dsr } = input;
  const seen = `${trades} ${trades === 1 ? 'trade' : 'trades'}, DSR ${dsr === null ? 'unknown' : dsr.toFixed(2)}`;
  if (looksAhead) {
    return {
      level: 'invalid',
      sentence: 'Invalid: decisions change with data that come after them.',
      reasons: ['it looks ahead: nothing else on this page means anything'],
    };
  }
  const doubts = doubtsOf(input);
  const reasons = doubts.map(({ reason }) => reason);
  if (trades === 0) return { level: 'none', sentence: 'No evidence: it does not trade.', reasons };
  if (tradingPnl === null || tradingPnl <= 0) {
    const made = tradingPnl === null ? 'what trading made cannot be valued' : 'trading loses money after costs';
    return { level: 'none', sentence: `No evidence of an edge: ${made} (${seen}).`, reasons };
  }
  const level = doubts.some(({ isGrave }) => isGrave) ? 'weak' : doubts.length > 0 ? 'moderate' : 'strong';
  return { level, sentence: `Evidence is ${level}: ${seen}.`, reasons };
}

function doubtsOf(input: VerdictInput): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const doubt = (isPresent: boolean, isGrave: boolean, reason: string): void => {
    if (isPresent) doubts.push({ reason, isGrave });
  };
  const {
    trades,
    orders,
    days,
    dsr,
    pbo,
    spaPValue,
    permutationPValue,
    walkForward,
    stress,
    lockbox,
    lockboxSeenBy,
    failed,
  } = input;
  // An order that is filled in parts makes a trade of each, and is one bet: n bets take n + 1 orders or more.
  const bets = Math.min(trades, Math.max(0, orders - 1));
  const counted = bets < trades ? `${trades} trades of ${orders} orders` : `${trades} trades`;
  doubt(bets < TRADES_FEW, true, `only ${counted}; below ${TRADES_FEW} nothing can be told from luck`);
  doubt(bets >= TRADES_FEW && bets < TRADES_ENOUGH, false, `${counted}; ${TRADES_ENOUGH} would be better`);
  doubt(
    days < DAYS_FEW,
    true,
    `${days < 1 ? `${(days * 24).toFixed(1)} hours` : `${days.toFixed(1)} days`} of data: one mood of the market`,
  );
  const unknown = input.dsrUnknown === undefined ? '' : `: ${input.dsrUnknown}`;
  doubt(dsr === null, true, `the deflated Sharpe ratio is unknown${unknown}`);
  doubt(
    dsr !== null && dsr < DSR_WEAK,
    true,
    `deflated Sharpe ratio ${dsr?.toFixed(2)}: as good may be had by luck after so many tries`,
  );
  doubt(
    dsr !== null && dsr >= DSR_WEAK && dsr < DSR_STRONG,
    false,
    `deflated Sharpe ratio ${dsr?.toFixed(2)}, below ${DSR_STRONG}`,
  );
  doubt(
    pbo !== null && pbo > 0.5,
    true,
    `probability of overfitting ${pbo?.toFixed(2)}: the search chooses what does not last`,
  );
  doubt(pbo !== null && pbo > 0.2 && pbo <= 0.5, false, `probability of overfitting ${pbo?.toFixed(2)}`);
  doubt(
    spaPValue !== null && spaPValue > 0.1,
    false,
    `no trial is clearly better than nothing (SPA p ${spaPValue?.toFixed(2)})`,
  );
  doubt(
    permutationPValue !== null && permutationPValue > 0.1,
    false,
    `the same positions would have earned as much in another order of the market (p ${permutationPValue?.toFixed(2)})`,
  );
  doubt(
    walkForward !== null && walkForward.gainedShare < 0.5,
    true,
    `it gained in ${((walkForward?.gainedShare ?? 0) * 100).toFixed(0)} % of the test parts`,
  );
  const efficiency = walkForward?.efficiency ?? null;
  doubt(
    efficiency !== null && efficiency < 0.5,
    false,
    `out of sample it earned ${((efficiency ?? 0) * 100).toFixed(0)} % of what it did in sample`,
  );
  const dead = stress.dead === 0 ? '' : `, in ${stress.dead} of them by a failure`;
  const loses = `it loses in ${stress.losing} of ${stress.rows} kinds of worse execution${dead}`;
  doubt(stress.losing > 0, stress.losing > stress.rows / 2, loses);
  doubt(lockbox === null, false, 'the lockbox has not been opened');
  doubt(lockbox !== null && !((lockbox.tradingPnl ?? 0) > 0), true, 'it does not earn in the lockbox');
  doubt(
    lockbox !== null && lockbox.openings > 1,
    false,
    `the lockbox of these data was opened ${lockbox?.openings} times: it is no longer unseen`,
  );
  doubt(lockboxSeenBy > 0, false, `${lockboxSeenBy} earlier trials ran over the lockbox: it was not unseen`);
  doubt(input.notCovered !== null, false, `look-ahead proof: ${input.notCovered}`);
  doubt(failed > 0, false, `${failed} ${failed === 1 ? 'trial' : 'trials'} of the search failed`);
  return doubts.toSorted((a, b) => Number(b.isGrave) - Number(a.isGrave));
}
