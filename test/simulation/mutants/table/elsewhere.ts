/** Mutants of what comes from elsewhere: backups that are put back, another instance of which nothing rests. */
import { oneAtATime, passingExits } from '../knobs.ts';
import type { Mutant } from '../mutant.ts';

export const elsewhereMutants: readonly Mutant[] = [
  {
    id: 'decided-before-the-backup-is-not-sent',
    catalogue: 'P07',
    what: 'what a backup holds as decided and not sent counts as not sent, although it left after the backup was made',
    file: 'src/spine/replay.ts',
    find: "        if (entry.kind === 'restored' && entry.event === 'restored') this.#mayHaveLeft(row.ts);",
    replace: '',
    calm: true,
    faults: { kill: 0.02, 'journal-restored': 1, 'request-slow': 0.5 },
    knobs: [oneAtATime],
  },
  {
    id: 'fleeting-instance-unseen',
    catalogue: 'X01',
    what: 'another instance that lets nothing rest goes unnoticed',
    file: 'src/reconciler/instance-gate.ts',
    find: '    for (const report of ended) this.#sawEnded(report);',
    replace: '',
    calm: true,
    faults: { 'stranger-trades': 0.02 },
  },
  {
    id: 'own-trade-stays-external',
    catalogue: 'P07',
    what: 'after a restore a trade is booked as of others before any list could show its order, and stays so when its order is taken over',
    file: 'src/execution/intake/intake.ts',
    find: '    returnTrade(core, fill);',
    replace: '    void returnTrade;',
    more: [
      {
        file: 'src/reconciler/account/external-trades.ts',
        find: "const isPlain = fill.market !== 'derivative' && rules.adopts === false && sought.length === 0;",
        replace: "const isPlain = fill.market !== 'derivative';",
      },
    ],
    calm: true,
    faults: { kill: 0.01, 'journal-restored': 0.5, 'read-lag': 0.9 },
  },
  {
    id: 'lost-reduction-for-nobody',
    catalogue: 'INV-R4',
    what: 'a reduction of lost rows is taken over for a strategy that holds nothing, and rests on',
    file: 'src/execution/intake/adopt.ts',
    find: '  const strategy = holderOf(core, report) ?? ownerOf(core, report.symbol);',
    replace: '  const strategy = ownerOf(core, report.symbol);',
    more: [
      {
        file: 'src/execution/intake/adopt.ts',
        find: '  if (entry.reduceOnly) core.news.moved.add(report.symbol);',
        replace: '  void holderOf;',
      },
    ],
    futures: true,
    calm: true,
    faults: { kill: 0.02, 'journal-cut': 1 },
    knobs: [passingExits],
  },
];
