/** Mutants of what leaves: the bytes of an order, its age, the book and the position that it was decided by. */
import { crossingQuotes, oneAtATime, patientQueue, restingReductions, sameTerms } from '../knobs.ts';
import type { Mutant } from '../mutant.ts';

const DISPATCHER = 'src/execution/dispatcher.ts';
const WIRE_ORDERS = 'src/exchange/wire/orders.ts';

export const sendMutants: readonly Mutant[] = [
  {
    id: 'reduce-only-not-sent',
    catalogue: 'INV-R4',
    what: 'the flag that an order may only reduce is left out of the request',
    file: WIRE_ORDERS,
    find: "    if (order.reduceOnly !== undefined) body['reduceOnly'] = order.reduceOnly;",
    replace: '',
    futures: true,
  },
  {
    id: 'position-side-not-sent',
    catalogue: 'M10',
    what: 'the side of a hedge is left out of the request',
    file: WIRE_ORDERS,
    find: "    if (order.positionSide !== undefined) body['positionSide'] = order.positionSide;",
    replace: '',
    futures: true,
  },
  {
    id: 'client-id-not-sent',
    catalogue: 'O40',
    what: 'an exchange that keeps our ids is not told them',
    file: WIRE_ORDERS,
    find: "  if (clientOrderIds) body['clientOrderId'] = order.clientOrderId;",
    replace: '',
    faults: { 'answer-lost': 0.1 },
  },
  {
    id: 'quantity-as-float',
    catalogue: 'M01',
    what: 'quantities go out as floating-point numbers are printed',
    file: 'src/execution/placement.ts',
    find: '      quantity: instrument.quantityText(spec.lots),',
    replace: '      quantity: String(spec.lots * instrument.quantityOf(1)),',
  },
  {
    id: 'price-as-float',
    catalogue: 'M01',
    what: 'prices go out as floating-point numbers are printed',
    file: 'src/execution/placement.ts',
    find: 'instrument.priceText(spec.ticks),',
    replace: 'String(spec.ticks * instrument.priceOf(1)),',
  },
  {
    id: 'twin-of-unknown-sent',
    catalogue: 'O07',
    what: 'without client ids a second order leaves that looks the same as one of unknown fate',
    file: DISPATCHER,
    find: '    if (venue.clientOrderIds || order.exits) return null;',
    replace: '    if (venue !== null || order.exits) return null;',
    more: [
      {
        file: 'src/risk/service.ts',
        find: '      duplicateDenial(order, options.except === undefined ? state.orders.live(symbol) : []) ??\n',
        replace: '',
      },
    ],
    calm: true,
    faults: { 'answer-lost': 0.15, 'request-lost': 0.1 },
    faultsFromS: 45,
    knobs: [sameTerms],
  },
  {
    id: 'lost-book-still-trades',
    catalogue: 'S13',
    what: 'an order leaves although the book that it was decided by is gone',
    file: DISPATCHER,
    find: '      lostMarketDenial(core.deps.market, order, exits) ??\n',
    replace: '',
    faults: { 'frame-lost': 0.1, 'request-lost': 0.3 },
    knobs: [oneAtATime, ...patientQueue],
  },
  {
    id: 'post-only-crosses',
    catalogue: 'O38',
    what: 'a post-only order leaves at a price at which it trades at once',
    file: DISPATCHER,
    find: '      postOnlyDenial(core.deps.market, order) ??\n',
    replace: '',
    more: [
      {
        file: 'src/execution/placement.ts',
        find: '      postOnlyDenial(core.deps.market, spec) ??\n',
        replace: '',
      },
    ],
    knobs: [crossingQuotes],
  },
  {
    id: 'age-by-a-clock-that-slept',
    catalogue: 'T07',
    what: 'the age of an order is taken from a clock that stood still while the machine slept',
    file: 'src/spine/departures.ts',
    find: 'return wall === undefined || createdWall === 0 ? age : Math.max(age, wall() - createdWall);',
    replace: 'return wall === undefined || createdWall === 0 ? age : age;',
    more: [
      {
        file: 'src/session/loop-lag.ts',
        find: 'return this.#tickAt === Number.POSITIVE_INFINITY ? 0 : this.#ahead() - this.#aheadMs;',
        replace: 'return 0 * this.#aheadMs;',
      },
    ],
    faults: { suspend: 0.03, 'request-lost': 0.5 },
    knobs: [oneAtATime, ...patientQueue],
  },
  {
    id: 'sleep-unnoticed',
    catalogue: 'T07',
    what: 'a machine that slept goes on as if nothing had been',
    file: 'src/session/loop-lag.ts',
    find: 'return this.#tickAt === Number.POSITIVE_INFINITY ? 0 : this.#ahead() - this.#aheadMs;',
    replace: 'return 0 * this.#aheadMs;',
    calm: true,
    faults: { suspend: 0.03 },
  },
  {
    id: 'target-forgets-in-flight',
    catalogue: 'O41',
    what: 'a target that is said again is bought again while its order is on its way',
    file: 'src/execution/target-planner.ts',
    find: '      if (own === except || own.strategy !== slot.tag || own.positionSide !== positionSide) continue;',
    replace:
      '      if (own === except || own.ackedAt === 0 || own.strategy !== slot.tag || own.positionSide !== positionSide) continue;',
    more: [
      {
        file: 'src/execution/target-planner.ts',
        find: '      task.order = this.#tasks[at]?.order;',
        replace: '      if (this.#tasks[at]?.order?.ackedAt !== 0) task.order = this.#tasks[at]?.order;',
      },
    ],
    faults: { 'request-slow': 0.3 },
  },
  {
    id: 'reduction-outlives-position',
    catalogue: 'INV-R4',
    what: 'a reduction rests on when what it was to reduce is gone',
    file: 'src/execution/withdrawals.ts',
    find: '      if (excess.length > 0) this.#dispatcher.cancel(excess, true);',
    replace: '      void excess;',
    calm: true,
    knobs: [restingReductions],
  },
  {
    id: 'kill-cancels-one-symbol',
    catalogue: 'INV-K2',
    what: 'the kill switch forgets the orders of the second symbol',
    file: 'src/execution/executor.ts',
    find: '      [...core.state.orders.allLive()].filter((order) => !isClosed(order.progress)),',
    replace:
      '      [...core.state.orders.allLive()].filter((order, _, all) => !isClosed(order.progress) && order.instrument === all[0]?.instrument),',
    futures: true,
    faults: { 'kill-switch': 0.03 },
  },
  {
    id: 'cancel-many-means-all',
    catalogue: 'O12',
    what: 'of many that were to be cancelled those that the exchange did not name are taken for gone as well',
    file: DISPATCHER,
    find: '      else this.#cancelFailed(order, outcome);',
    replace:
      "      else this.#cancelFailed(order, outcome);\n      if (outcome.kind === 'accepted' && orders.length > 1) core.state.report(order, { ...outcome, orderId: order.orderId, status: 'canceled', filledQuantity: '0', averagePrice: null }, core.now());",
    faults: { 'kill-switch': 0.02, 'cancel-race': 0.3 },
  },
];
