/** Mutants of liquidations, in worlds that are made to lose the account. */
import type { Mutant } from '../mutant.ts';

const LIQUIDATIONS = 'src/execution/intake/liquidations.ts';
const STATE = 'src/spine/trading-state.ts';

export const ruinMutants: readonly Mutant[] = [
  {
    id: 'liquidation-twice',
    catalogue: 'O39',
    what: 'a liquidation that is told again is booked again',
    file: LIQUIDATIONS,
    find: "    if (state.isBooked(liquidationKey(told))) return 'over';",
    replace: '',
    ruin: true,
  },
  {
    id: 'liquidation-twice-over-a-start',
    catalogue: 'P10',
    what: 'each start books the liquidations that it reads again',
    file: STATE,
    find: '    this.booked.add(liquidationKey(fill));\n    this.booked.add(liquidationOrderKey(fill.symbol, fill.orderId));',
    replace:
      "    const key = this.boot + ' ';\n    this.booked.add(key + liquidationKey(fill));\n    this.booked.add(key + liquidationOrderKey(fill.symbol, fill.orderId));",
    more: [
      {
        file: STATE,
        find: '    return this.booked.has(key);',
        replace: "    return this.booked.has(key) || this.booked.has(this.boot + ' ' + key);",
      },
      {
        file: LIQUIDATIONS,
        find: '    else if (isLast) this.#share',
        replace: '    else if (isLast || !isLast) this.#share',
      },
    ],
    ruin: true,
    faults: { 'power-loss': 0.002 },
  },
  {
    id: 'liquidation-of-several-opens',
    catalogue: 'O39',
    what: 'new risk is taken on where nobody has said whose a liquidation was',
    file: 'src/spine/undivided.ts',
    find: '    if (open !== undefined) return `a human has to',
    replace: '    if (open === null) return `a human has to',
    ruin: true,
    faults: { 'mark-jump': 0.02, 'human-refills': 0.2, kill: 0.01 },
  },
  {
    id: 'new-risk-after-ruin',
    catalogue: 'O39',
    what: 'new risk is taken on where the account has just been liquidated',
    file: LIQUIDATIONS,
    find: '    this.#closed.set(instrument.symbol, `${what}; no new risk until the next start`);',
    replace: '',
    ruin: true,
  },
  {
    id: 'cancelled-by-liquidation-is-one',
    catalogue: 'O39',
    what: 'an order that a liquidation cancelled is taken for the order by which the exchange closes',
    file: 'src/spine/external-keys.ts',
    find: "return market === 'derivative' && status !== 'canceled' && reason === 'liquidation';",
    replace: "return market === 'derivative' && status !== '' && reason === 'liquidation';",
    ruin: true,
    calm: true,
    faults: { 'answer-lost': 0.3, 'mark-jump': 0.1, 'human-refills': 0.5 },
    faultsFromS: 30,
  },
  {
    id: 'liquidation-of-several-unbooked',
    catalogue: 'O39',
    what: 'a liquidation that waits for the word of a human is not booked to the account',
    file: LIQUIDATIONS,
    find: "    this.#rest(fill, dec(fill.quantity), 'liquidation of several');",
    replace: '',
    ruin: true,
    faults: { 'human-futures': 0.05 },
  },
  {
    id: 'liquidation-unread',
    catalogue: 'O39',
    what: 'a liquidation that was not pushed is not looked for',
    file: 'src/execution/reconciler-port.ts',
    find: '      intake.liquidation(finding.report);\n',
    replace: '',
    ruin: true,
  },
  {
    id: 'funding-sign',
    catalogue: 'M14',
    what: 'funding that was paid is booked as received',
    file: 'src/execution/intake/fundings.ts',
    find: '  const amount = dec(payment.amount);\n  let left',
    replace: '  const amount = dec(payment.amount).neg();\n  let left',
    futures: true,
  },
];
