/** Bugs of order programs, in worlds where a share of the decisions are programs. */
import type { Edit, Mutant } from '../mutant.ts';

const ORDERS = 'src/execution/programs/program-orders.ts';
const HOST = 'src/execution/programs/programs.ts';
const VIEW = 'src/execution/programs/program-view.ts';
const STATE = 'src/spine/programs/programs.ts';
const share = { programs: 0.5 } as const;

/** The bound that stands behind each rule. */
const unbounded: Edit = {
  file: ORDERS,
  find: 'if (used + want.lots > (step.most[group] ?? 0) + 1e-9) {',
  replace: 'if (used + want.lots < 0) {',
};

export const programMutants: readonly Mutant[] = [
  {
    id: 'program-exits-do-not-wait',
    catalogue: 'programs 2',
    what: 'an exit leaves while the cancel of another one of the same lots is not proved',
    ...unbounded,
    ...share,
  },
  {
    id: 'program-reserved-not-counted',
    catalogue: 'programs 6',
    what: 'what works already does not count against the bound of a program',
    file: ORDERS,
    find: '      used += reservedLots(order.progress);',
    replace: '      used += 0 * reservedLots(order.progress);',
    more: [{ file: ORDERS, find: 'if (children.some(({ leg }) => leg === want.leg)) continue;', replace: '' }],
    ...share,
  },
  {
    id: 'program-forgets-unknown',
    catalogue: 'programs 3',
    what: 'an order of unknown outcome is no order of its program',
    file: VIEW,
    find: 'if (order.parent === ref && order.strategy === strategy && order.leg !== undefined)',
    replace:
      "if (order.parent === ref && order.strategy === strategy && order.leg !== undefined && order.progress.state !== 'unknown')",
    ...share,
  },
  {
    id: 'program-fills-not-counted',
    catalogue: 'programs 6',
    what: 'what its orders have filled does not count',
    file: STATE,
    find: '    sum.lots += lots;',
    replace: '    sum.lots += 0 * lots;',
    ...share,
  },
  {
    id: 'program-end-leaves-orders',
    catalogue: 'programs',
    what: 'the orders of a program that has ended stay',
    file: HOST,
    find: '    this.#orders.cancelAll(program);\n',
    replace: '',
    ...share,
  },
  {
    id: 'program-never-expires',
    catalogue: 'programs 6',
    what: 'the time of a program is never over',
    file: HOST,
    find: 'const isExpired = expire > 0 && core.now() >= expiresAt;',
    replace: 'const isExpired = expire > 0 && core.now() >= expiresAt + 1e12;',
    ...share,
  },
  {
    id: 'program-is-not-resumed',
    catalogue: 'programs 4',
    what: 'a program is not taken up again after a restart',
    file: HOST,
    find: '      this.#follow(program, true);\n',
    replace: '',
    faults: { kill: 0.03 },
    ...share,
  },
  {
    id: 'program-step-without-entry',
    catalogue: 'programs 4',
    what: 'what a program remembers is changed beside the journal',
    file: HOST,
    find: "this.#core.spine.commit({ kind: 'program', event: 'step', strategy, ref, data: plainJson(step.data) });",
    replace: 'program.data = strategy === ref ? program.data : plainJson(step.data);',
    ...share,
  },
  {
    id: 'program-end-not-applied',
    catalogue: 'programs 6',
    what: 'a program that has ended works on',
    file: STATE,
    find: '      program.state = entry.state;\n',
    replace: '',
    ...share,
  },
  {
    id: 'program-goes-on-without-rows',
    catalogue: 'J04',
    what: 'a program goes on by a journal that has lost rows',
    file: HOST,
    find: 'if (restored !== undefined || acknowledgedAt >= program.startedAt)',
    replace: 'if (restored !== undefined && acknowledgedAt < 0)',
    faults: { kill: 0.02, 'journal-restored': 0.8 },
    ...share,
  },
  {
    id: 'program-goes-on-on-another-grid',
    catalogue: 'I01',
    what: 'a program counts on in the steps of before',
    file: HOST,
    find: '    return moved === undefined ? undefined : `the exchange',
    replace: '    return moved !== null ? undefined : `the exchange',
    faults: { kill: 0.02, 'instrument-changes': 0.02, 'instrument-changes-while-down': 0.1 },
    ...share,
  },
  {
    id: 'bracket-exits-of-what-was-ordered',
    catalogue: 'programs',
    what: 'exits of a bracket are sized by the entry order, not by its fills',
    file: 'src/programs/bracket.ts',
    find: '  const bought = paysInBase(spec)',
    replace: '  const bought = filled > 0 ? spec.lots : paysInBase(spec)',
    ...share,
  },
  {
    id: 'twap-forgets-earlier-slices',
    catalogue: 'programs 4',
    what: 'a slice does not know what the ones before it have filled',
    file: 'src/programs/slices.ts',
    find: 'return spec.due.reduce((sum, _, index) => sum + leg(`slice:${index + 1}`).filled, 0);',
    replace: 'return leg(`slice:${spec.due.length}`).filled;',
    more: [unbounded],
    ...share,
  },
  {
    id: 'oco-legs-do-not-share',
    catalogue: 'programs',
    what: 'a fill of one leg does not reduce the other',
    file: 'src/programs/oco.ts',
    find: '  const left = spec.lots - views.reduce((sum, { filled }) => sum + filled, 0);',
    replace: '  const left = spec.lots - Math.min(...views.map(({ filled }) => filled));',
    more: [unbounded],
    ...share,
  },
  {
    id: 'iceberg-shows-again',
    catalogue: 'programs',
    what: 'an iceberg shows again what has filled',
    file: 'src/programs/iceberg.ts',
    find: '  const left = spec.lots - filled;',
    replace: '  const left = filled > 2 * spec.lots ? 0 : spec.lots;',
    more: [unbounded],
    ...share,
  },
];
