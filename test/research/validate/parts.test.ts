import { describe, expect, it } from 'vitest';
import type { Evaluation } from '../../../src/research/sweep/evaluation.ts';
import { candidatesOf, type Candidate } from '../../../src/research/validate/candidates.ts';
import { overfittingOf } from '../../../src/research/validate/evidence.ts';
import { compareCut, cutsOf, DecisionLog, proofOf, type Decision } from '../../../src/research/validate/look-ahead.ts';
import { stressGrid, worseOf, type StressedData } from '../../../src/research/validate/stress.ts';
import type { StressOutcome } from '../../../src/research/validate/result.ts';
import { verdictInput, type Parts } from '../../../src/research/validate/verdict-input.ts';
import { verdictOf, type VerdictInput } from '../../../src/research/validate/verdict.ts';
import { simulationOptions, type SimulationOptions } from '../../../src/simulation/options.ts';

const decisions = (...hashes: readonly string[]): Decision[] => hashes.map((hash, index) => ({ ts: index * 10, hash }));

describe('the look-ahead proof', () => {
  it('compares what was decided before the cut, and that alone', () => {
    expect(compareCut(25, decisions('a', 'b', 'c', 'd'), decisions('a', 'b', 'c'))).toEqual({
      at: 25,
      decisions: 3,
      differsAt: null,
    });
    // Behind the cut a stop of the strategy may differ.
    expect(compareCut(15, decisions('a', 'b', 'c'), decisions('a', 'b', 'x')).differsAt).toBeNull();
  });

  it('names the first decision that differs, is missing or is too many', () => {
    expect(compareCut(35, decisions('a', 'b', 'c'), decisions('a', 'x', 'c')).differsAt).toBe(10);
    expect(compareCut(35, decisions('a', 'b', 'c'), decisions('a', 'b')).differsAt).toBe(20);
    expect(compareCut(35, decisions('a'), decisions('a', 'b')).differsAt).toBe(10);
    expect(compareCut(35, decisions('a'), [{ ts: 1, hash: 'a' }]).differsAt).toBe(0);
  });

  it('tells actions apart by every field', () => {
    const log = new DecisionLog();
    log.onActions(1, 'a', [{ kind: 'note', text: 'x' }]);
    log.onActions(1, 'a', [{ kind: 'note', text: 'y' }]);
    log.onActions(1, 'b', [{ kind: 'note', text: 'x' }]);
    expect(new Set(log.decisions.map(({ hash }) => hash)).size).toBe(3);
  });

  it('cuts inside the period', () => {
    expect(cutsOf({ from: 1000, to: 2000 })).toEqual([1250, 1500, 1750]);
  });
});

describe('the trials among which a search chooses', () => {
  const returns = (...values: readonly number[]) => ({ values: Float64Array.from(values), sampleMs: 1000, fromMs: 0 });
  const onData = ['a', 'b', 'c', 'd', 'e'].map((runHash, index) => ({ runHash, returns: returns(index, index) }));
  const trial = (runHash: string, feasible = true, state: 'done' | 'pruned' = 'done') => ({
    number: runHash.charCodeAt(0),
    params: { runHash },
    runHash,
    feasible,
    state,
  });
  const chosen = { runHash: 'a', returns: Float64Array.of(0, 0) };
  const firsts = (rows: readonly Candidate[]) => rows.map(({ returns: [first] }) => first);

  it('are those that keep the constraints: one that breaks them is chosen in no fold and no split', () => {
    const rows = candidatesOf(chosen, [trial('a'), trial('b'), trial('c', false), trial('d')], onData);
    expect(firsts(rows)).toEqual([0, 1, 3]);
    expect(rows.map(({ trial: row }) => row?.params)).toEqual([{ runHash: 'a' }, { runHash: 'b' }, { runHash: 'd' }]);
  });

  it('ran over all of the data, and the ledger knows them', () => {
    const short = [...onData, { runHash: 'f', returns: returns(5) }];
    const rows = candidatesOf(chosen, [trial('b', true, 'pruned'), trial('e'), trial('f'), trial('x')], short);
    expect(firsts(rows)).toEqual([0, 4]);
  });

  it('are runs: one that was asked for again is the same trial', () => {
    const rows = candidatesOf(chosen, [trial('b'), trial('a'), trial('b'), trial('d'), trial('b')], onData);
    expect(firsts(rows)).toEqual([0, 1, 3]);
  });

  it('without another there is nothing to choose from, and the reason says whose', () => {
    const rows = candidatesOf(chosen, [trial('b', false)], onData).map((one) => one.returns);
    expect(overfittingOf(rows, true)).toEqual({ skipped: expect.stringContaining('keeps the constraints') });
    expect(overfittingOf(rows, false)).toEqual({ skipped: expect.stringContaining('--space') });
  });
});

/** An hour of a spot book. */
const HOUR: StressedData = { hasPerpetuals: false, lengthMs: 3_600_000, onBars: false };

describe('the stress grid', () => {
  it('changes one thing a row, never for the better', () => {
    const base = simulationOptions.parse({ fees: { maker: '-0.0001', taker: '0.0005' } });
    const rows = stressGrid(base, { ...HOUR, hasPerpetuals: true });
    const named = new Map(rows.map(({ name, simulation }) => [name, simulation]));
    expect(named.get('latency × 5')).toEqual({ ...base, latency: { ...base.latency, entryMs: 125, responseMs: 125 } });
    expect(named.get('fees × 1.5')!.fees.taker).toBe('0.00075');
    expect(Number(named.get('fees × 1.5')!.fees.maker)).toBeGreaterThan(-0.0001);
    expect(named.get('back of the queue')!.queue).toEqual({ model: 'risk-averse' });
    expect(named.has('funding')).toBe(true);
    expect(stressGrid(base, HOUR).some(({ name }) => name === 'funding')).toBe(false);
    for (const { simulation } of rows) expect(simulation).not.toEqual(base);
    expect(named.get('all at once')).toEqual({
      ...named.get('latency × 2'),
      queue: named.get('back of the queue')!.queue,
      fees: named.get('fees × 1.5')!.fees,
      perpetuals: named.get('funding')!.perpetuals,
      stress: named.get('outage')!.stress,
    });
  });

  it('has funding of both signs, since one of them pays the position', () => {
    const ratesIn = (perpetuals: object): unknown =>
      stressGrid(simulationOptions.parse({ perpetuals }), { ...HOUR, hasPerpetuals: true })
        .filter(({ otherwise }) => otherwise !== undefined)
        .map(({ name, simulation, otherwise }) => [name, ...[simulation, otherwise!].map(rateOf)]);
    const rateOf = ({ perpetuals }: SimulationOptions): string | undefined => perpetuals.fundingRate;
    const both = (rate: string): unknown => ['funding', 'all at once'].map((name) => [name, rate, `-${rate}`]);
    expect(ratesIn({})).toEqual(both('0.0005'));
    expect(ratesIn({ fundingRate: '0.0001' })).toEqual(both('0.0005'));
    expect(ratesIn({ fundingRate: '-0.001' })).toEqual(both('0.001'));
    expect(ratesIn({ fundingRate: '0.001' })).toEqual(both('0.001'));
  });

  it('on bars has slippage in place of latency and queue, which decide nothing there', () => {
    const base = simulationOptions.parse({ slippageBps: 2 });
    const rows = stressGrid(base, { ...HOUR, onBars: true });
    expect(rows.map(({ name }) => name)).toEqual(['slippage', 'fees × 1.5', 'outage', 'all at once']);
    expect(rows[0]?.simulation).toEqual({ ...base, slippageBps: 10 });
    expect(rows.at(-1)?.simulation).toMatchObject({ slippageBps: 10, fees: { taker: '0.00075' } });
  });

  const rowsOf = (simulation: object): ReadonlyMap<string, SimulationOptions> => {
    const base = simulationOptions.parse(simulation);
    const rows = stressGrid(base, HOUR);
    for (const row of rows) expect(row.simulation).not.toEqual(base);
    return new Map(rows.map((row) => [row.name, row.simulation]));
  };

  it('slows down whatever latency is simulated', () => {
    const pairs = [
      { ts: 1, entryMs: 200, responseMs: 300 },
      { ts: 2, entryMs: 400, responseMs: 100 },
    ];
    const measured = rowsOf({ latency: { model: 'measured', pairs } });
    for (const name of ['latency × 2', 'all at once']) {
      expect(measured.get(name)!.latency.pairs).toEqual([
        { ts: 1, entryMs: 400, responseMs: 600 },
        { ts: 2, entryMs: 800, responseMs: 200 },
      ]);
    }
    const bursts = { model: 'lognormal', sigma: 1, correlation: 0.95, entryMs: 300, responseMs: 200 };
    expect(measured.get('latency bursts')!.latency).toMatchObject(bursts);
    const feed = rowsOf({ latency: { model: 'feed', feedFactor: 3 } });
    expect(feed.get('latency × 5')!.latency).toMatchObject({ model: 'feed', feedFactor: 15 });
    // Bursts of the given values might be faster than the feed.
    expect(feed.has('latency bursts')).toBe(false);
    const wild = rowsOf({ latency: { model: 'lognormal', sigma: 2, correlation: 0.5 } });
    expect(wild.get('latency bursts')!.latency).toMatchObject({ sigma: 2, correlation: 0.95 });
  });

  it('leaves out what the simulated venue has already: a row that changes nothing would count as one that earns', () => {
    const last = rowsOf({ queue: 'last', fees: { maker: '0', taker: '0' } });
    expect([...last.keys()]).toEqual(['latency × 2', 'latency × 5', 'latency bursts', 'outage', 'all at once']);
    expect(last.get('all at once')!.queue).toEqual({ model: 'last' });
  });

  it('keeps the worse of two runs of a row', () => {
    const done = (tradingPnl: number | null): Evaluation =>
      ({ kind: 'done', metrics: { tradingPnl }, trial: {}, wallMs: 1 }) as unknown as Evaluation;
    const failed: Evaluation = { kind: 'failed', reason: 'broken' };
    expect(worseOf([done(5), done(-1)])).toEqual(done(-1));
    expect(worseOf([done(-5), done(null)])).toEqual(done(null));
    expect(worseOf([done(null), failed])).toEqual(failed);
    expect(worseOf([done(1)])).toEqual(done(1));
  });

  it('has outages in whatever length of data, a sixtieth of the time down', () => {
    const outagesIn = (lengthMs: number): unknown =>
      stressGrid(simulationOptions.parse({}), { ...HOUR, lengthMs }).find(({ name }) => name === 'outage')?.simulation
        .stress.outages;
    expect(outagesIn(86_400_000)).toEqual({ everyMs: 300_000, forMs: 5_000 });
    expect(outagesIn(240_000)).toEqual({ everyMs: 40_000, forMs: 667 });
    expect(outagesIn(0)).toEqual({ everyMs: 1, forMs: 1 });
  });
});

describe('what the verdict looks at', () => {
  const row = (tradingPnl: number | null): StressOutcome => ({
    name: 'row',
    change: 'something',
    metrics: tradingPnl === null ? null : { tradingPnl },
    reason: tradingPnl === null ? 'too slow for me' : null,
  });
  const sized = (quantity: string, entryPrice = 60_000, unit = 1): Parts['trades'][number] => ({
    quantity: Number(quantity),
    entryPrice,
    unit,
  });
  const parts = (stress: readonly StressOutcome[], failed = 0): Parts =>
    ({
      base: { metrics: { tradingPnl: 100, trades: 500 }, dsr: 0.99, trialsOnData: 20 },
      bestOfMany: { t: 5, pValue: 0.001 },
      fills: Array.from({ length: 600 }, (_, index) => ({ tag: 't', orderRef: `t-${index}` })),
      trades: Array.from({ length: 500 }, () => sized('1')),
      permutation: { pValue: 0.01, timing: 90, execution: 20 },
      walkForward: { gainedShare: 0.9, efficiency: 0.8 },
      overfitting: { pbo: 0.05 },
      stress,
      lookAhead: proofOf([], []),
      research: { from: 0, to: 90 * 86_400_000 },
      lockbox: { tradingPnl: 10, trades: 100 },
      openings: 1,
      seenBy: 0,
      found: { counts: { failed } },
    }) as unknown as Parts;

  it('counts a run that died under stress as one that does not earn', () => {
    const input = verdictInput(parts([row(5), row(null), row(null), row(null), row(-1), row(3), row(4)]));
    expect(input.stress).toEqual({ losing: 4, dead: 3, rows: 7 });
    expect(input.failed).toBe(0);
    const { level, reasons } = verdictOf(input);
    expect([level, reasons]).toEqual([
      'weak',
      ['it loses in 4 of 7 kinds of worse execution, in 3 of them by a failure'],
    ]);
  });

  it('counts an order that was filled in parts once', () => {
    const fills = ['a', 'a', 'b', 'a', 'b'].map((orderRef) => ({ tag: 't', orderRef }));
    expect(verdictInput({ ...parts([row(5)]), fills }).orders).toBe(2);
  });

  const effective = (trades: Parts['trades']): number | null =>
    verdictInput({ ...parts([row(5)]), trades }).effectiveTrades;
  const times = (count: number, ...quantities: readonly string[]): Parts['trades'] =>
    Array.from({ length: count }, () => quantities.map((quantity) => sized(quantity))).flat();

  it('counts trades by their size: equal ones in full, dust beside them as nothing', () => {
    expect(effective(times(45, '0.1'))).toBeCloseTo(45, 9);
    // What the fee in base took is bought again, and that of the fee.
    expect(effective(times(12, '1', '0.0005', '0.00000025'))).toBeCloseTo(12, 1);
    expect(effective(times(12, '1', '0.5'))).toBeCloseTo(12 * (1.5 ** 2 / 1.25), 9);
    expect(effective([...times(30, '0.001'), sized('1000')])).toBeCloseTo(1, 3);
    // By notional, not by units: a cheap coin beside a dear one, a contract beside a coin.
    expect(effective([sized('1', 60_000), sized('60000', 1), sized('600000', 1, 0.1)])).toBeCloseTo(3, 9);
    expect(effective([])).toBeNull();
    expect(effective([sized('1', 60_000, 0)])).toBeNull();
  });

  it('opens no level for trades of what the fee took', () => {
    const dusty = { ...parts([row(5)]), trades: times(15, '1', '0.0005', '0.00000025') };
    const base = { ...dusty.base, metrics: { tradingPnl: 100, trades: 45 } };
    const { level, sentence, reasons } = verdictOf(verdictInput({ ...dusty, base }));
    expect(sentence).toMatch(/^Evidence is weak: 45 trades, by their sizes no more than 15 equal ones, DSR /);
    expect([level, reasons]).toEqual([
      'weak',
      ['only 45 trades, by their sizes no more than 15 equal ones; below 30 nothing can be distinguished from luck'],
    ]);
  });

  it('takes over why a part is missing; without a search none of the others is', () => {
    const missing = {
      ...parts([row(5)]),
      walkForward: { skipped: '1152 periods are too few for 5000 folds' },
      overfitting: { skipped: 'no other trial' },
      permutation: { skipped: 'the P&L is not known' },
    };
    expect(verdictOf(verdictInput(missing))).toMatchObject({
      level: 'moderate',
      reasons: [
        'walk-forward is missing: 1152 periods are too few for 5000 folds',
        'the probability of overfitting is missing: no other trial',
        'the test of timing is missing: the P&L is not known',
      ],
    });
    expect(verdictInput({ ...missing, found: null }).pbo).toBeNull();
  });

  it('counts trials of the search that failed, and those alone', () => {
    const input = verdictInput(parts([row(5), row(null), row(1)], 2));
    expect(input.failed).toBe(2);
    expect(verdictOf(input).reasons).toEqual([
      '2 trials of the search failed',
      'it loses in 1 of 3 kinds of worse execution, in 1 of them by a failure',
    ]);
  });
});

describe('the verdict', () => {
  const good: VerdictInput = {
    looksAhead: false,
    notCovered: null,
    failed: 0,
    tradingPnl: 100,
    trades: 500,
    effectiveTrades: 400,
    orders: 1000,
    days: 90,
    dsr: 0.99,
    pValue: 0.001,
    t: 5,
    tries: 20,
    pbo: 0.05,
    timing: { pValue: 0.01, timing: 90, execution: 20 },
    walkForward: { gainedShare: 0.9, efficiency: 0.8 },
    stress: { losing: 0, dead: 0, rows: 7 },
    lockbox: { tradingPnl: 10 },
    openings: 1,
    lockboxSeenBy: 0,
  };

  it('is strong only when nothing speaks against it', () => {
    expect(verdictOf(good)).toEqual({
      level: 'strong',
      sentence: 'Evidence is strong: 500 trades, DSR 0.99.',
      reasons: [],
    });
  });

  it('tells who buys and holds from who does nothing', () => {
    const idle = verdictOf({ ...good, trades: 0, orders: 0 });
    const holder = verdictOf({ ...good, trades: 0, orders: 3 });
    expect([idle.level, idle.sentence]).toEqual(['none', 'No evidence: it does not trade.']);
    expect([holder.level, holder.sentence]).toEqual(['none', 'No evidence: it never closes what it opens.']);
  });

  it('says how many trades there were, and the deflated Sharpe ratio', () => {
    expect(verdictOf({ ...good, trades: 41, dsr: 0.31, pValue: 0.2 }).sentence).toBe(
      'Evidence is weak: 41 trades, DSR 0.31.',
    );
  });

  it('is strong while an unseen lockbox is closed, and says that it is', () => {
    const { level, sentence } = verdictOf({ ...good, lockbox: null, openings: 0 });
    expect([level, sentence]).toEqual([
      'strong',
      'Evidence is strong: 500 trades, DSR 0.99; the lockbox is still closed.',
    ]);
  });

  it('does not show a chance as the limit that it is above', () => {
    expect(verdictOf({ ...good, pValue: 0.0502 }).reasons.join()).toContain('p 0.0502');
  });

  it.each<[string, Partial<VerdictInput>, string]>([
    ['luck', { pValue: 0.051 }, 'weak'],
    ['some luck', { pValue: 0.0051 }, 'moderate'],
    ['luck that cannot be told', { pValue: null, t: null, pUnknown: '10 returns are too few' }, 'weak'],
    ['a deflated Sharpe ratio below the bound', { dsr: 0.94 }, 'moderate'],
    ['a closed lockbox that was opened before', { lockbox: null }, 'moderate'],
    ['a lockbox that others have seen', { lockboxSeenBy: 3 }, 'moderate'],
    ['a lockbox that was opened twice', { openings: 2 }, 'moderate'],
    ['a lockbox that loses', { lockbox: { tradingPnl: -1 } }, 'weak'],
    ['few trades', { trades: 29 }, 'weak'],
    ['many trades of few orders, filled in parts', { orders: 8 }, 'weak'],
    ['many trades, few of them of any size', { effectiveTrades: 29.4 }, 'weak'],
    ['little data', { days: 2 }, 'weak'],
    ['an unknown DSR', { dsr: null }, 'moderate'],
    ['overfitting', { pbo: 0.6 }, 'moderate'],
    ['timing that any other would equal', { timing: { pValue: 0.2, timing: 90, execution: 20 } }, 'weak'],
    ['timing that few others would equal', { timing: { pValue: 0.07, timing: 90, execution: 20 } }, 'moderate'],
    ['what is too good to be true', { t: 10 }, 'moderate'],
    ['test parts that lose', { walkForward: { gainedShare: 0.4, efficiency: 0.9 } }, 'weak'],
    ['test parts that earn little', { walkForward: { gainedShare: 0.9, efficiency: 0.4 } }, 'moderate'],
    ['one bad stress', { stress: { losing: 1, dead: 0, rows: 7 } }, 'moderate'],
    ['most stresses', { stress: { losing: 4, dead: 4, rows: 7 } }, 'weak'],
    ['failed runs', { failed: 2 }, 'moderate'],
    ['a walk-forward that could not be made', { walkForward: 'too few periods' }, 'moderate'],
    ['no gain in training', { walkForward: { gainedShare: 0.9, efficiency: null } }, 'moderate'],
    ['a search without a probability of overfitting', { pbo: 'no other trial' }, 'moderate'],
    ['a test of timing that could not be made', { timing: 'a liquidation' }, 'moderate'],
    ['no stress', { stress: { losing: 0, dead: 0, rows: 0 } }, 'moderate'],
    ['a loss', { tradingPnl: -1 }, 'none'],
    ['no trades', { trades: 0 }, 'none'],
    ['looking ahead', { looksAhead: true }, 'none'],
    ['a look-ahead proof that does not cover all', { notCovered: 'reads files: not covered' }, 'moderate'],
  ])('falls for %s', (_, change, level) => {
    const verdict = verdictOf({ ...good, ...change });
    expect(verdict.level).toBe(level);
    expect(verdict.reasons.length + (level === 'none' ? 1 : 0)).toBeGreaterThan(0);
  });

  it('tells trades from parts of them', () => {
    expect(verdictOf({ ...good, orders: 8 }).reasons).toEqual([
      'only 500 trades of 8 orders; below 30 nothing can be distinguished from luck',
    ]);
    // Each trade has an order of its own to end it.
    expect(verdictOf({ ...good, orders: 501 }).reasons).toEqual([]);
    // Prices move, and so do equal sizes a little.
    expect(verdictOf({ ...good, trades: 30, effectiveTrades: 29.6 }).reasons).toEqual([]);
    expect(verdictOf({ ...good, effectiveTrades: null }).reasons).toEqual([]);
  });

  it('gives the reason of a part that is missing', () => {
    const { reasons } = verdictOf({ ...good, walkForward: '1152 periods are too few for 5000 folds' });
    expect(reasons).toEqual(['walk-forward is missing: 1152 periods are too few for 5000 folds']);
  });

  it('asks no probability of overfitting where nothing was searched', () => {
    expect(verdictOf({ ...good, pbo: null }).level).toBe('strong');
  });

  it('asks no timing of one that earns by the spread', () => {
    expect(verdictOf({ ...good, timing: { pValue: 0.7, timing: -20, execution: 120 } }).level).toBe('strong');
  });

  it('says why luck cannot be told, and among how many tries it could be', () => {
    const [unknown] = verdictOf({ ...good, pValue: null, pUnknown: '10 returns are too few' }).reasons;
    expect(unknown).toBe('it cannot be distinguished from luck: 10 returns are too few');
    const [lucky] = verdictOf({ ...good, pValue: 0.31, t: 1.4 }).reasons;
    expect(lucky).toBe('as good may be had by luck as the best of 20 tries (t 1.4, p 0.31)');
  });

  it('puts the grave reasons first', () => {
    const { reasons } = verdictOf({ ...good, lockbox: null, trades: 5 });
    expect(reasons[0]).toContain('only 5 trades');
  });
});
