/** Mutants of the comparison with the exchange. */
import { seldomRead } from '../knobs.ts';
import type { Mutant } from '../mutant.ts';

const COMPARE = 'src/execution/reconcile/compare.ts';
const MATCH = 'src/execution/reconcile/match.ts';
const RECONCILER = 'src/execution/reconcile/reconciler.ts';

export const reconcileMutants: readonly Mutant[] = [
  {
    id: 'absence-from-failed-readings',
    catalogue: 'O28',
    what: 'a reading that failed proves that an order is absent',
    file: COMPARE,
    find: "if (active.kind !== 'complete' || history?.kind !== 'complete' || trades.kind !== 'complete') return undefined;",
    replace: 'if (history === undefined) return undefined;',
    faults: { outage: 0.02, 'answer-lost': 0.1 },
  },
  {
    id: 'absence-without-fence',
    catalogue: 'O27',
    what: 'an order is taken for absent while its request can still arrive',
    file: RECONCILER,
    find: 'fenceMs: reconcile.signatureWindowMs + skewMs + reconcile.fenceMarginMs,\n      historyLagMs: reconcile.historyLagMs,',
    replace: 'fenceMs: 0,\n      historyLagMs: 0,',
    faults: { 'request-late': 0.2 },
  },
  {
    id: 'history-not-consulted',
    catalogue: 'O03',
    what: 'only open orders are looked through for an order of unknown fate, and no trade can be its',
    file: COMPARE,
    find: '  const history = itemsOf(readings.history);',
    replace: '  const history = itemsOf(readings.active).slice(0, 0);',
    more: [
      {
        file: COMPARE,
        find: 'const doubt = doubtOf(order, readings, rules, unclaimed, owners);',
        replace: 'const doubt = null as ReturnType<typeof doubtOf>;',
      },
    ],
    faults: { 'answer-lost': 0.2, 'frame-lost': 0.1, kill: 0.01 },
  },
  {
    id: 'nothing-fits',
    catalogue: 'O07',
    what: 'an order without client id is never recognised by its terms',
    file: MATCH,
    find: 'report.createdAt >= stamp - earlierMs && report.createdAt <= stamp + fenceOf(order, rules)',
    replace: 'report.createdAt === stamp',
    faults: { 'answer-lost': 0.1 },
  },
  {
    id: 'lookback-too-short',
    catalogue: 'R16',
    what: 'history and trades are read from a second ago',
    file: 'src/execution/reconcile/reading-planner.ts',
    find: 'const back = Math.min(oldest, seenTo) - OVERLAP_MS - this.skewMs - this.#tradesReach.moreMs;',
    replace: 'const back = deps.clock.now() - 1000 + 0 * (oldest + seenTo);',
    faults: { outage: 0.01 },
  },
  {
    id: 'missing-fills-not-fetched',
    catalogue: 'O26',
    what: 'fills that the stream did not bring are not taken from the list of trades',
    file: RECONCILER,
    find: '        port.fill(finding.fill);',
    replace: '',
    faults: { 'frame-lost': 0.01 },
  },
  {
    id: 'fence-shortened',
    catalogue: 'O27',
    what: 'an order is taken for absent a few seconds after it was sent, while its signature is still good',
    file: RECONCILER,
    find: 'fenceMs: reconcile.signatureWindowMs + skewMs + reconcile.fenceMarginMs,',
    replace: 'fenceMs: 2000,',
    more: [{ file: RECONCILER, find: 'historyLagMs: reconcile.historyLagMs,', replace: 'historyLagMs: 5000,' }],
    faults: { 'request-late': 0.2 },
  },
  {
    id: 'one-reading-proves-absence',
    catalogue: 'O38',
    what: 'one set of readings proves an absence, although lists lag',
    file: COMPARE,
    find: '  if (order.absentSince === 0) {',
    replace: '  if (order.absentSince < 0) {',
    more: [
      {
        file: COMPARE,
        find: '  } else if (asOf >= order.absentSince + rules.historyLagMs) {',
        replace: '  } else if (asOf > 0) {',
      },
    ],
    calm: true,
    faults: { 'request-late': 0.5, 'read-lag': 1 },
    faultsFromS: 45,
    knobs: [seldomRead],
  },
  {
    id: 'marks-of-others-are-ours',
    catalogue: 'INV-S5',
    what: 'orders of another instance are taken over as ours',
    file: RECONCILER,
    find: '      adopts: this.#port.adopts(),',
    replace: '      adopts: this.#port.adopts() || (() => true),',
    faults: { stranger: 0.02, 'kill-switch': 0.02 },
  },
];
