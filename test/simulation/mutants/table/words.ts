/** Mutants of what is made of the exchange's word: ends and refusals that are false, own trades that a list tells otherwise. */
import type { Edit, Mutant } from '../mutant.ts';

const ENDS = 'src/execution/intake/ends-in-doubt.ts';
const CONTRADICTED = 'src/execution/intake/contradicted-trade.ts';

/** So few that as much again is soon passed. */
const fewOrders: Edit = {
  file: 'test/simulation/world/process.ts',
  find: 'export const OPEN_ORDERS_MAX = 12;',
  replace: 'export const OPEN_ORDERS_MAX = 1;',
};

export const wordMutants: readonly Mutant[] = [
  {
    id: 'false-word-is-used-again',
    catalogue: 'O43',
    what: 'an end that was asked for is believed at one word, however many were before it that nothing confirms',
    file: ENDS,
    find: 'else if (first !== undefined && createdAt >= first.at)',
    replace: 'else if (first === undefined && createdAt < 0)',
    more: [
      {
        file: ENDS,
        find: '    this.#distrusted.set(order.instrument.symbol, now + DISTRUST_MS);\n',
        replace: '',
      },
    ],
    knobs: [fewOrders],
    calm: true,
    faults: { 'false-cancel': 0.95 },
  },
  {
    id: 'listed-and-called-over',
    catalogue: 'O43',
    what: 'new risk goes on while a list shows an order that was called over',
    file: ENDS,
    find: '    this.#shut(order, this.#core.now(), `a list shows ${order.ref} as active, but the exchange reported its end`);\n',
    replace: '    void order;\n',
    knobs: [fewOrders],
    calm: true,
    faults: { 'false-cancel': 0.95 },
  },
  {
    id: 'trade-is-compared-with-nothing',
    catalogue: 'O25',
    what: 'a booked trade is never compared with the list of own trades',
    file: 'src/execution/intake/intake.ts',
    find: "    if (source === 'reconcile') compareListed(core, order, told);\n",
    replace: '',
    calm: true,
    faults: { 'own-trade-wrong': 0.3 },
  },
  {
    id: 'listed-trade-goes-on',
    catalogue: 'O23',
    what: 'a trade that the list tells otherwise raises the alarm and halts nothing',
    file: CONTRADICTED,
    find: '  core.halt(instrument.symbol, message);\n',
    replace: '',
    calm: true,
    faults: { 'own-trade-wrong': 0.3 },
  },
  {
    id: 'choice-books-nothing',
    catalogue: 'O25',
    what: 'a human says that the list is right, and the difference is not booked',
    file: CONTRADICTED,
    find: 'if (choice === AS_LISTED && order !== undefined)',
    replace: 'if (choice === AS_BOOKED && order !== undefined)',
    calm: true,
    faults: { 'own-trade-wrong': 0.3 },
  },
  {
    id: 'called-over-beside-the-stop',
    catalogue: 'O12',
    what: 'a take-profit that the exchange called over is not cancelled again before all is sold at the stop',
    file: 'src/execution/programs/program-orders.ts',
    find: '    if (want.reduceOnly) this.#cancelCalledOver(program, want);\n',
    replace: '',
    programs: 0.9,
    faults: { 'false-status': 0.1 },
  },
  {
    id: 'fee-as-pushed',
    catalogue: 'M13',
    what: 'a fee that the list of own trades shows otherwise stays as it was pushed',
    file: 'src/execution/intake/contradicted-trade.ts',
    find: 'for (const part of feeCorrections(order, told)) bookCorrection',
    replace: 'for (const part of feeCorrections(order, told).slice(9)) bookCorrection',
    faults: { 'own-trade-fee': 0.3 },
  },
];
