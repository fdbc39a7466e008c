/** Mutants of perpetuals: funding, liquidations, the sides of a position, orders that may only reduce. */
import type { Mutant } from '../mutant.ts';

const FUNDINGS = 'src/execution/fundings.ts';
const LIQUIDATIONS = 'src/execution/liquidations.ts';

export const futuresMutants: readonly Mutant[] = [
  {
    id: 'funding-ignored',
    catalogue: 'M14',
    what: 'a payment of funding is not booked',
    file: 'src/execution/intake.ts',
    find: '    this.#fundings.book(payment);',
    replace: '    void payment;',
    futures: true,
  },
  {
    id: 'funding-unread',
    catalogue: 'M14',
    what: 'a payment of funding that was not pushed is not looked for',
    file: 'src/execution/reconcile/reconciler.ts',
    find: 'for (const payment of itemsOf(funding)) port.funding(payment);',
    replace: 'void itemsOf(funding);',
    futures: true,
    faults: { 'frame-lost': 0.1 },
  },
  {
    id: 'funding-twice',
    catalogue: 'M14',
    what: 'a payment of funding that is told again is booked again',
    file: FUNDINGS,
    find: 'if (this.#core.state.isBooked(fundingKey(payment.id))) return;',
    replace: '',
    futures: true,
  },
  {
    id: 'liquidation-not-known',
    catalogue: 'O39',
    what: 'a close by the exchange is taken for a trade of others',
    file: LIQUIDATIONS,
    find: "return market === 'derivative' && reason === 'liquidation';",
    replace: "return market === 'derivative' && reason === 'never';",
    futures: true,
    faults: { 'mark-jump': 0.04 },
  },
  {
    id: 'liquidation-leaves-open',
    catalogue: 'O39',
    what: 'new risk is taken on after a liquidation',
    file: LIQUIDATIONS,
    find: 'return message === undefined ? null :',
    replace: 'return message !== null ? null :',
    futures: true,
    faults: { 'mark-jump': 0.04 },
  },
  {
    id: 'liquidation-of-first-holder',
    catalogue: 'O39',
    what: 'a liquidation is booked to whoever holds most, whatever the side',
    file: LIQUIDATIONS,
    find: '.filter((held) => held.positionSide === positionSide && held.position.quantity.isPositive() === sells)',
    replace: '.filter(() => positionSide !== undefined || sells)',
    futures: true,
    faults: { 'mark-jump': 0.04 },
  },
  {
    id: 'reduce-only-increases',
    catalogue: 'INV-R4',
    what: 'an order that may only reduce is not compared with the position',
    file: 'src/execution/risk/reduce-only.ts',
    find: 'if (order.lots <= reducible) return null;',
    replace: 'if (order.lots <= reducible || order.lots > 0) return null;',
    futures: true,
  },
  {
    id: 'reduce-only-not-said',
    catalogue: 'INV-R4',
    what: 'the exchange is not told that an order may only reduce',
    file: 'src/execution/dispatcher.ts',
    find: 'return spec.reduceOnly && this.#core.risk.reducesAccount(candidateOf(spec));',
    replace: 'return spec.reduceOnly && spec.lots < 0 && this.#core.risk.reducesAccount(candidateOf(spec));',
    futures: true,
  },
  {
    id: 'sides-are-one',
    catalogue: 'M10',
    what: 'what is held long and what is held short is one position',
    file: 'src/execution/positions.ts',
    find: "const held = this.#open(strategy, instrument, fill.positionSide ?? 'both');",
    replace:
      "const held = this.#open(strategy, instrument, fill.tradeId === '' ? (fill.positionSide ?? 'both') : 'both');",
    futures: true,
  },
];
