/** Mutants of sums: balances, positions, fees, and what others trade on the account. */
import type { Mutant } from '../mutant.ts';

const EXTERNAL = 'src/execution/reconcile/external-trades.ts';
const STATE = 'src/execution/trading-state.ts';

export const accountMutants: readonly Mutant[] = [
  {
    id: 'external-trades-every-time',
    catalogue: 'O21',
    what: 'each comparison books the trades of others again',
    file: EXTERNAL,
    find: 'const id = externalTradeKey(fill, name);',
    replace: 'const id = `${port.deps.clock.now()}/${externalTradeKey(fill, name)}`;',
    faults: { 'human-trade': 0.02 },
  },
  {
    id: 'position-without-fee',
    catalogue: 'M07',
    what: 'a fee that is taken from what was bought stays in the position',
    file: 'src/execution/positions.ts',
    find: 'if (!fee.isZero() && paysBase(instrument, fill)) held.position.remove(fee, price);',
    replace: '',
  },
  {
    id: 'balance-without-fee',
    catalogue: 'M14',
    what: 'fees are missing in what explains a balance',
    file: STATE,
    find: '    this.#add(fill.feeCurrency, dec(fill.fee).neg());',
    replace: '',
  },
  {
    id: 'fill-on-wrong-side',
    catalogue: 'O14',
    what: 'what a sale brings is counted as spent',
    file: STATE,
    find: "    const sign = fill.side === 'buy' ? 1 : -1;\n    if (instrument.market === 'spot') {",
    replace: "    const sign = fill.side === 'buy' ? 1 : 1;\n    if (instrument.market === 'spot') {",
  },
  {
    id: 'own-trades-as-external',
    catalogue: 'O24',
    what: 'a trade that may be of an order on its way is booked as one of others, and then as its own',
    file: EXTERNAL,
    find: 'if (needsHistory || nameless.has(fill.orderId) || this.#couldBeOurs(fill, rules))',
    replace: 'if (needsHistory || nameless.has(fill.orderId))',
    calm: true,
    faults: { 'answer-late': 0.3, 'read-lag': 0.3 },
    faultsFromS: 90,
  },
  {
    id: 'residual-at-once',
    catalogue: 'M08',
    what: 'a difference of two readings is booked although fills are still on their way',
    file: 'src/execution/reconcile/account-check.ts',
    find: "    if (!isStill && verdict.kind !== 'explained') return undefined;",
    replace: '    void isStill;',
    more: [
      {
        file: 'src/execution/reconcile/residual.ts',
        find: 'asOf > seen.since && asOf - seen.since >= this.#lagMs',
        replace: 'asOf > seen.since',
      },
    ],
    calm: true,
    faults: { 'frame-lost': 0.1, 'read-lag': 0.6 },
    faultsFromS: 90,
  },
  {
    id: 'external-trades-twice',
    catalogue: 'P10',
    what: 'each start books the trades of others again',
    file: EXTERNAL,
    find: 'const id = externalTradeKey(fill, name);',
    replace: 'const id = `${port.boot()}/${externalTradeKey(fill, name)}`;',
    faults: { 'human-trade': 0.02, kill: 0.01 },
  },
  {
    id: 'external-trades-ignored',
    catalogue: 'O31',
    what: 'trades of others are not booked',
    file: EXTERNAL,
    find: '        this.#book(fill);',
    replace: '        void fill;',
    calm: true,
    faults: { 'human-trade': 0.02 },
  },
  {
    id: 'fee-in-wrong-currency',
    catalogue: 'M07',
    what: 'fees are booked in what is paid with, whatever they were taken from',
    file: 'src/exchange/wire/fills.ts',
    find: '    feeCurrency: wire.feeCurrency,',
    replace: "    feeCurrency: wire.symbol.endsWith('USDT') ? 'USDT' : wire.feeCurrency,",
  },
  {
    id: 'funds-of-others-ours',
    catalogue: 'O31',
    what: 'what others bought on the account is booked to a position of ours',
    file: 'src/execution/intake.ts',
    find: '      if (this.#liquidations.fill(fill)) return true;',
    replace:
      '      if (this.#liquidations.fill(fill)) return true;\n      const [any] = this.#core.state.orders.allLive();\n      if (any !== undefined && any.orderId !== undefined) {\n        this.#book(any, { ...fill, orderId: any.orderId }, source);\n        return true;\n      }',
    calm: true,
    faults: { 'human-trade': 0.05 },
  },
];
