/** Mutants of sums: balances, positions, fees, and what others trade on the account. */
import type { Mutant } from '../mutant.ts';

const EXTERNAL = 'src/reconciler/account/external-trades.ts';
const EFFECTS = 'src/spine/effects.ts';

export const accountMutants: readonly Mutant[] = [
  {
    id: 'external-trades-every-time',
    catalogue: 'O21',
    what: 'each comparison books the trades of others again',
    file: EXTERNAL,
    find: 'const id = externalTradeKey(fill, name);',
    replace: 'const id = `${account.now}/${externalTradeKey(fill, name)}`;',
    faults: { 'human-trade': 0.02 },
  },
  {
    id: 'position-without-fee',
    catalogue: 'M07',
    what: 'a fee that is taken from what was bought stays in the position',
    file: 'src/spine/positions.ts',
    find: 'if (!fee.isZero() && paysBase(instrument, fill)) held.position.remove(fee, price);',
    replace: '',
  },
  {
    id: 'balance-without-fee',
    catalogue: 'M14',
    what: 'fees are missing in what explains a balance',
    file: EFFECTS,
    find: '  add(fill.feeCurrency, fee.neg());',
    replace: '',
  },
  {
    id: 'fill-on-wrong-side',
    catalogue: 'O14',
    what: 'what a sale brings is counted as spent',
    file: EFFECTS,
    find: "    const buys = fill.side === 'buy';",
    replace: '    const buys = true;',
  },
  {
    id: 'own-trades-as-external',
    catalogue: 'O24',
    what: 'a trade that may be of an order on its way is booked as one of others, and then as its own',
    file: EXTERNAL,
    find: 'const sought = unproved.filter((order) => couldHaveTraded(order, fill, rules));',
    replace: 'const sought: readonly LocalOrder[] = [];',
    calm: true,
    faults: { 'answer-late': 0.3, 'read-lag': 0.3 },
    faultsFromS: 90,
  },
  {
    id: 'residual-at-once',
    catalogue: 'M08',
    what: 'a difference of two readings is booked although fills are still on their way',
    file: 'src/reconciler/account/account.ts',
    find: "  if (verdict.kind !== 'explained' && !isStill(facts, verdict)) return UNDECIDED;",
    replace: '  void isStill;',
    more: [
      {
        file: 'src/reconciler/account/residual.ts',
        find: 'asOf > before.since && asOf - before.since >= lagMs',
        replace: 'asOf > before.since',
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
    replace: 'const id = `${account.state.boot}/${externalTradeKey(fill, name)}`;',
    faults: { 'human-trade': 0.02, kill: 0.01 },
  },
  {
    id: 'external-trades-ignored',
    catalogue: 'O31',
    what: 'trades of others are not booked',
    file: EXTERNAL,
    find: 'const effects = settled.flatMap(',
    replace: 'const effects = settled.slice(0, 0).flatMap(',
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
    file: 'src/execution/intake/intake.ts',
    find: '      if (this.liquidations.fill(fill, source)) return true;',
    replace:
      '      if (this.liquidations.fill(fill, source)) return true;\n      const [any] = this.#core.state.orders.allLive();\n      if (any !== undefined && any.orderId !== undefined) {\n        this.#book(any, { ...fill, orderId: any.orderId }, source);\n        return true;\n      }',
    calm: true,
    faults: { 'human-trade': 0.05 },
  },
];
