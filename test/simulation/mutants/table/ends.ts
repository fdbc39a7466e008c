/** Mutants of an orderly end: what a session may call clean, and what nobody looks at again after it. */
import type { Mutant } from '../mutant.ts';

const ENGINE = 'src/session/engine.ts';
const STOP = 'src/execution/rules/closing.ts';

export const endMutants: readonly Mutant[] = [
  {
    id: 'end-leaves-orders',
    catalogue: 'X02',
    what: 'a session that is told to end leaves its orders to the exchange',
    file: STOP,
    find: "    if (policy === 'leave') {",
    replace: "    if (policy !== 'flatten') {",
    more: [
      {
        file: ENGINE,
        find: "onStop !== 'leave' || !this.#started.has(tag)",
        replace: "onStop === 'flatten' || !this.#started.has(tag)",
      },
    ],
    faults: { 'told-to-end': 0.02 },
  },
  {
    id: 'end-forgets-the-unknown',
    catalogue: 'O29',
    what: 'an end is clean although an order is of unknown outcome',
    file: ENGINE,
    find: '    const isKnown = executor.unresolvedCount() === 0 && executor.unbookedCount() === 0;',
    replace: '    const isKnown = executor.unbookedCount() >= 0;',
    more: [
      {
        file: 'src/session/healing/orderly-end.ts',
        find: 'if (told.disagreements.length === 0 && engine.settled) return NOTHING;',
        replace: 'if (engine.settled) return NOTHING;',
      },
      {
        file: ENGINE,
        find: 'flatMap(({ tag }) => this.executor.account(tag).openOrders())',
        replace: 'flatMap(() => [])',
      },
    ],
    faults: { 'told-to-end': 0.02, 'answer-lost': 0.3 },
  },
  {
    id: 'end-before-the-last-trade',
    catalogue: 'O26',
    what: 'an end is clean although a trade that was told has not been booked, and nothing is compared',
    file: ENGINE,
    find: '    const isKnown = executor.unresolvedCount() === 0 && executor.unbookedCount() === 0;',
    replace: '    const isKnown = executor.unresolvedCount() === 0;',
    more: [
      {
        file: 'src/session/healing/orderly-end.ts',
        find: 'await untilAgreed({ engine, reconciler }, clock, deadline);',
        replace: 'NOTHING;',
      },
      {
        file: STOP,
        find: "order.progress.state !== 'unknown') return true;",
        replace: "!['unknown', 'filled', 'canceled', 'expired'].includes(order.progress.state)) return true;",
      },
    ],
    faults: { 'told-to-end': 0.05, 'frame-lost': 0.3 },
  },
];
