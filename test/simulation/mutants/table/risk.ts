/** Mutants of the limits and of quoting. */
import { manyOrders, smallPosition, smallStorm } from '../knobs.ts';
import type { Mutant } from '../mutant.ts';

const DESK = 'src/execution/risk/desk.ts';
const EXPOSURE = 'src/execution/risk/exposure.ts';

export const riskMutants: readonly Mutant[] = [
  {
    id: 'position-limit-off',
    catalogue: 'INV-R1',
    what: 'the limit of a position is not asked',
    file: DESK,
    find: 'positionDenial(order, facts, facts.strategy, limits.strategy, order.strategy) ??',
    replace: '',
    knobs: [smallPosition],
  },
  {
    id: 'in-flight-not-counted',
    catalogue: 'O41',
    what: 'orders without an answer yet do not count towards the position',
    file: EXPOSURE,
    find: '    if (isGone(own, options)) continue;',
    replace: '    if (isGone(own, options) || own.ackedAt === 0) continue;',
    faults: { 'request-slow': 0.2, 'answer-late': 0.1 },
    knobs: [smallPosition],
  },
  {
    id: 'unknown-not-counted',
    catalogue: 'O01',
    what: 'orders of unknown fate do not count towards the position',
    file: EXPOSURE,
    find: '    if (isGone(own, options)) continue;',
    replace: "    if (isGone(own, options) || own.progress.state === 'unknown') continue;",
    faults: { 'answer-lost': 0.1 },
    knobs: [smallPosition],
  },
  {
    id: 'canceling-not-counted',
    catalogue: 'O33',
    what: 'an order counts as gone as soon as its cancel is wanted',
    file: EXPOSURE,
    find: 'return own === options.except || (options.ignoreCanceling && own.cancelWanted);',
    replace: 'return own === options.except || own.cancelWanted;',
    faults: { 'request-slow': 0.2, 'answer-late': 0.1 },
    knobs: [smallPosition],
  },
  {
    id: 'position-not-counted',
    catalogue: 'O41',
    what: 'only open orders count towards the limit, not what is held',
    file: EXPOSURE,
    find: 'if (held.strategy === order.strategy) strategy.lots += held.lots;',
    replace: '',
    knobs: [smallPosition],
  },
  {
    id: 'reported-fill-not-counted',
    catalogue: 'M09',
    what: 'what an order is said to have filled counts only once the fill itself has come',
    file: 'src/execution/order-machine.ts',
    find: '  const upTo = isClosed(order) ? order.reportedLots : order.lots;',
    replace: '  const upTo = isClosed(order) ? order.fillLots : order.lots;',
    faults: { 'frame-lost': 0.01 },
    knobs: [smallPosition],
  },
  {
    id: 'order-size-off',
    catalogue: 'H06',
    what: 'an order may be of any size and at any price',
    file: DESK,
    find: '      collarDenial(order, facts, risk.priceCollar) ??\n      orderSizeDenial(order, facts, limits.strategy, limits.equityFraction) ??\n      orderSizeDenial(order, facts, limits.account, risk.maxOrderEquityFraction) ??',
    replace: '',
    more: [
      {
        file: DESK,
        find: "      positionDenial(order, facts, facts.account, limits.account, 'the account') ??",
        replace: '',
      },
      {
        file: DESK,
        find: 'positionDenial(order, facts, facts.strategy, limits.strategy, order.strategy) ??',
        replace: '',
      },
    ],
  },
  {
    id: 'quote-before-cancel-proved',
    catalogue: 'O32',
    what: 'a new quote is judged as if the old one were gone already',
    file: 'src/execution/quote-desk.ts',
    find: '    const denial = this.#placement.judge(spec);',
    replace: '    const denial = this.#placement.judge(spec, { ignoreCanceling: true });',
    faults: { 'request-slow': 0.2, 'answer-late': 0.1 },
    knobs: [smallPosition],
  },
  {
    id: 'quote-forgets-in-flight',
    catalogue: 'O41',
    what: 'a quote that is on its way when the next set comes is forgotten and rests for ever',
    file: 'src/execution/quote-scope.ts',
    find: '    this.#orders = this.#orders.filter((order) => !isClosed(order.progress) && !order.cancelWanted);',
    replace:
      '    this.#orders = this.#orders.filter((order) => !isClosed(order.progress) && !order.cancelWanted && order.ackedAt > 0);',
  },
  {
    id: 'own-orders-meet',
    catalogue: 'INV-R2',
    what: 'own orders trade with each other',
    file: 'src/execution/placement.ts',
    find: 'return ownOrdersMet(this.#core.deps.market, spec, this.#core.state.orders.live(spec.instrument.symbol));',
    replace:
      'return ownOrdersMet(this.#core.deps.market, spec, this.#core.state.orders.live(spec.instrument.symbol).slice(0, 0));',
  },
  {
    id: 'message-rate-off',
    catalogue: 'M18',
    what: 'messages are sent at any rate',
    file: 'src/execution/risk/desk.ts',
    find: '      this.#rates.denial(order, now, valueOf(order, facts), this.#book.limits) ??',
    replace: '',
    faults: { 'strategy-storm': 0.3 },
    knobs: [manyOrders, smallStorm],
  },
  {
    id: 'partial-fill-frees-all',
    catalogue: 'O14',
    what: 'an order that has filled in part reserves nothing any more',
    file: 'src/execution/order-machine.ts',
    find: '  return upTo > order.fillLots ? upTo - order.fillLots : 0;',
    replace: '  return upTo > order.fillLots && order.fillLots === 0 ? upTo : 0;',
    knobs: [smallPosition],
  },
];
