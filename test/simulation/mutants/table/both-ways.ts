/** Mutants of what is compared both ways: orders that rest and are over here, the end of a session, the opening. */
import type { Mutant } from '../mutant.ts';

const COMPARE = 'src/reconciler/compare.ts';
const CHECK = 'src/reconciler/account/account.ts';

export const bothWaysMutants: readonly Mutant[] = [
  {
    id: 'word-of-an-end-is-believed',
    catalogue: 'O12',
    what: 'an order that was called over is never compared with the active list',
    file: COMPARE,
    find: '  for (const report of active) endedYetActive(comparison, report);\n',
    replace: '',
    calm: true,
    faults: { 'false-status': 0.1 },
  },
  {
    id: 'trades-before-the-opening',
    catalogue: 'INV-F3',
    what: 'orders leave before an opening balance is journalled, which then holds what they did',
    file: CHECK,
    find: "  if (kind === 'watch' && !isNew) return UNDECIDED;",
    replace: "  if (kind === 'watch') return UNDECIDED;",
    more: [
      {
        file: 'src/reconciler/account/account-notes.ts',
        find: '  gate.uncompared.set(key,',
        replace: '  new Map<string, ReadonlySet<string>>().set(key,',
      },
    ],
    calm: true,
  },
];
