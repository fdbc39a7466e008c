/**
 * One case of the verdict study: a market, a search of sixteen trials over its first four fifths, the best of them judged by the
 * very functions of `validate`. Its stress rows are those that a market of minutes can show; its decisions follow from the
 * past by construction, so there is no look-ahead to prove.
 */
import { seededRandom } from '../../../src/model/random.ts';
import type { Trial } from '../../../src/research/ledger/trial-ledger.ts';
import { evidenceOf, type Evidence } from '../../../src/research/validate/evidence.ts';
import type { StressOutcome } from '../../../src/research/validate/result.ts';
import { verdictInput } from '../../../src/research/validate/verdict-input.ts';
import { verdictOf, type Verdict } from '../../../src/research/validate/verdict.ts';
import { heldPath } from '../../../src/statistics/overfitting/held-path.ts';
import { gridStep } from '../../../src/statistics/period-grid.ts';
import { seriesOf } from '../../../src/statistics/series.ts';
import { matchTrades } from '../../../src/statistics/trades.ts';
import { valuesOf } from '../../../src/statistics/valuation.ts';
import { SYMBOL, traded, type Costs, type Outcome } from './account.ts';
import { marketOf, MINUTE_MS, MINUTES, RESEARCH_MINUTES, START_MS, TICK } from './market.ts';
import { PLANTED_TRIAL, signalOf, traderOf, TRIALS, type Shape, type TraderOptions } from './traders.ts';

export interface CaseOptions {
  readonly seed: number;
  readonly shape: Shape;
  readonly hasFees: boolean;
  /** Rare falls, and traders that are never short: returns of negative skew. */
  readonly hasFalls: boolean;
  /** The t over the research part of one who always holds, in a market that rises by itself; 0: it does not. Traders are then never short. */
  readonly rises?: number;
  /** The t before costs that the middle trial has on average over the research part; 0: a null. */
  readonly strength: number;
}

export interface CaseOutcome {
  readonly verdict: Verdict;
  /** The same with the lockbox opened. */
  readonly opened: Verdict;
  readonly evidence: Evidence;
}

const COSTS: Costs = { halfSpread: 0.1, takerFee: 0.2, makerFee: 0.1, isLate: false };
const FREE: Costs = { halfSpread: 0, takerFee: 0, makerFee: 0, isLate: false };
/** Share of the time that each shape holds something. */
const HELD: Readonly<Record<Shape, number>> = { coin: 1, trend: 1, maker: 0.85, few: 1 / 3 };
const RESEARCH = { from: START_MS, to: START_MS + RESEARCH_MINUTES * MINUTE_MS };
const SYMBOLS = { [SYMBOL]: { base: 'BTC', quote: 'USDT', market: 'derivative', lotSize: '0.001' } } as const;

/** How far chance must lean towards a position of one unit for this t over the research part. */
export function leanOf(shape: Shape, strength: number, isLongOnly: boolean): number {
  return strength / (2 * Math.sqrt(RESEARCH_MINUTES * HELD[shape] * (isLongOnly ? 0.5 : 1)));
}

export function runCase({ seed, shape, hasFees, hasFalls, rises = 0, strength }: CaseOptions): CaseOutcome {
  const random = seededRandom(seed).fork(`study ${shape}`);
  const signal = signalOf(random.fork('signal'), strength > 0);
  const optionsOf = (trial: number, queueTicks = 0): TraderOptions => ({
    shape,
    trial,
    isLongOnly: hasFalls || rises > 0,
    signal,
    queueTicks,
  });
  const edge =
    strength === 0 ? null : { trader: traderOf(optionsOf(PLANTED_TRIAL)), lean: leanOf(shape, strength, hasFalls) };
  const mids = marketOf(random.fork('market'), { hasFalls, rise: rises / (2 * Math.sqrt(RESEARCH_MINUTES)), edge });
  const costs = hasFees ? COSTS : FREE;
  const trials = Array.from({ length: TRIALS }, (_, trial) =>
    traded(mids, [0, RESEARCH_MINUTES], optionsOf(trial), costs),
  );
  const best = trials.reduce((top, { netPnl }, trial) => (netPnl > trials[top]!.netPnl ? trial : top), 0);
  const evidence = evidenceFor(seed, mids, trials, best);
  const stressed = (name: string, queueTicks: number, under: Costs): StressOutcome => {
    const { netPnl, trades } = traded(mids, [0, RESEARCH_MINUTES], optionsOf(best, queueTicks), under);
    return { name, change: '', metrics: { tradingPnl: netPnl, trades }, reason: null };
  };
  const dearer = { ...costs, takerFee: 1.5 * costs.takerFee, makerFee: 1.5 * costs.makerFee };
  const stress = [
    stressed('latency', 0, { ...costs, isLate: true }),
    stressed('back of the queue', 1, costs),
    ...(hasFees ? [stressed('fees', 0, dearer)] : []),
    stressed('all at once', 1, { ...dearer, isLate: true }),
  ];
  const inside = traded(mids, [RESEARCH_MINUTES, MINUTES], optionsOf(best), costs);
  const closed = matchTrades(valuesOf(trials[best]!.fills, SYMBOLS));
  const judged = (lockbox: Outcome | null): Verdict =>
    verdictOf(
      verdictInput({
        ...evidence,
        fills: trials[best]!.fills,
        trades: closed,
        stress,
        lookAhead: { ok: true, notCovered: null, filesRead: [], cuts: [] },
        research: RESEARCH,
        lockbox: lockbox === null ? null : { tradingPnl: lockbox.netPnl },
        openings: lockbox === null ? 0 : 1,
        seenBy: 0,
        found: null,
      }),
    );
  return { verdict: judged(null), opened: judged(inside), evidence };
}

function evidenceFor(seed: number, mids: Float64Array, trials: readonly Outcome[], best: number): Evidence {
  const onData = trials.map((outcome, trial) => ledgerRow(`trial ${trial}`, outcome));
  const { fills, netPnl, trades } = trials[best]!;
  const path = seriesOf(
    Array.from(
      mids.subarray(0, RESEARCH_MINUTES + 1),
      (mid, minute) => [START_MS + minute * MINUTE_MS, mid * TICK] as const,
    ),
  );
  const judged = {
    runHash: `trial ${best}`,
    period: RESEARCH,
    returns: onData[best]!.returns,
    held: heldPath({ fills, symbols: SYMBOLS, mids: { [SYMBOL]: path }, funding: [], period: RESEARCH, netPnl }),
    metrics: { tradingPnl: netPnl, trades },
    searched: onData.map(({ runHash }, number) => ({
      number,
      params: {},
      state: 'done' as const,
      runHash,
      feasible: true,
    })),
    onData,
    walk: { mode: 'rolling' as const, folds: 4, purge: 0, embargo: 0 },
  };
  return evidenceOf(judged, seededRandom(seed).fork('validate'));
}

function ledgerRow(runHash: string, { equity }: Outcome): Trial {
  const sampleMs = gridStep(RESEARCH.from, RESEARCH.to);
  const every = sampleMs / MINUTE_MS;
  const values = Float64Array.from(
    { length: RESEARCH_MINUTES / every },
    (_, at) => equity[(at + 1) * every]! / equity[at * every]! - 1,
  );
  return {
    runHash,
    at: 0,
    command: 'sweep',
    strategy: 'study',
    codeHash: '',
    dataHash: '',
    period: RESEARCH,
    seed: 1,
    params: {},
    stats: {},
    returns: { sampleMs, values },
  };
}
