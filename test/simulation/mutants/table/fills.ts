/** Mutants of what is believed of an own trade: its side, its other terms, and the first fills of a process. */
import type { Mutant } from '../mutant.ts';

const CHECK = 'src/spine/orders/fill-check.ts';
const INTAKE = 'src/execution/intake/intake.ts';

export const fillMutants: readonly Mutant[] = [
  {
    id: 'side-of-the-trade',
    catalogue: 'O25',
    what: 'a fill has the side that the exchange tells of it, and not that of its order',
    file: CHECK,
    find: 'return Object.freeze({ ...reported, side, symbol, market,',
    replace: 'return Object.freeze({ ...reported, symbol, market,',
    faults: { 'taker-side': 1 },
  },
  {
    id: 'terms-of-the-trade',
    catalogue: 'O25',
    what: 'a fill that contradicts its order is booked as the stream tells it',
    file: INTAKE,
    find: "      if (source === 'stream') return false;",
    replace: '      void source;',
    faults: { 'own-trade-contradicts': 0.3 },
  },
  {
    id: 'contradiction-goes-on',
    catalogue: 'O23',
    what: 'a fill that contradicts its order raises the alarm and halts nothing',
    file: INTAKE,
    find: '    core.halt(order.instrument.symbol, message);\n',
    replace: '',
    faults: { 'own-trade-contradicts': 0.3 },
  },
  {
    id: 'first-fills-unseen',
    catalogue: 'O25',
    what: 'new risk goes on after the first fill, whether or not the account has moved as it was booked',
    file: 'src/reconciler/reconciler.ts',
    find: '      if (this.#port.deps.asksNobody !== true) this.gate.unproved.add(signal.symbol);\n',
    replace: '',
    faults: { 'taker-side': 1 },
  },
  {
    id: 'side-of-others-believed',
    catalogue: 'INV-F3',
    what: 'a trade of others has the side that the exchange tells of it, whatever its order says',
    file: 'src/reconciler/account/external-trades.ts',
    find: 'settled.push(fill.side === side ? fill : { ...fill, side });',
    replace: 'void side, settled.push(fill);',
    faults: { 'taker-side': 1, 'human-order': 0.1 },
  },
  {
    id: 'side-of-others-not-waited-for',
    catalogue: 'INV-F3',
    what: 'a trade of others is booked before its order is known, although the side that is told of it may be the other one',
    file: 'src/execution/intake/told-sides.ts',
    find: "return !this.#hasDiffered && (this.#hasAgreed || fill.liquidity === 'taker');",
    replace: "return fill.liquidity === 'taker' || fill.liquidity === 'maker';",
    more: [
      {
        file: 'src/execution/intake/told-sides.ts',
        find: 'return instrument === undefined || this.#paysOtherwise ? undefined : sideOfFee(fill, instrument);',
        replace: 'return instrument === undefined || fill.fee !== "" ? undefined : sideOfFee(fill, instrument);',
      },
    ],
    faults: { 'taker-side': 1, 'human-order': 0.1 },
  },
];
