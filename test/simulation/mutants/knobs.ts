/** Limits and capacities that some mutants need tight (BUGGIFY): set for the mutant and for the code as it is alike. */
import type { Edit } from './mutant.ts';

/** One create at a time, so that orders wait. */
export const oneAtATime: Edit = {
  file: 'src/exchange/client/http-transport.ts',
  find: 'concurrencyMax: Readonly<Record<RequestClass, number>> = { orders: 8,',
  replace: 'concurrencyMax: Readonly<Record<RequestClass, number>> = { orders: 3,',
};

/** Orders may wait for as long as they like, and nobody wonders at it; their age alone stops them. */
export const patientQueue: readonly Edit[] = [
  {
    file: 'src/exchange/client/request-lanes.ts',
    find: 'queueMsMax: 5000, keepFree: 2',
    replace: 'queueMsMax: 90_000, keepFree: 2',
  },
  {
    file: 'test/simulation/world/transient-law.ts',
    find: 'const SECONDS_MAX = 15;',
    replace: 'const SECONDS_MAX = 120;',
  },
];

/** A few quotes reach the limit of the position. */
export const smallPosition: Edit = {
  file: 'test/simulation/world/process.ts',
  find: 'export const POSITION_MAX = 0.5;',
  replace: 'export const POSITION_MAX = 0.12;',
};

/** Two strategies that hold against each other reach the limit of the account where one of them closes. */
export const smallAccount: Edit = {
  file: 'test/simulation/world/account-law.ts',
  find: 'export const ACCOUNT_POSITION_MAX = 0.6;',
  replace: 'export const ACCOUNT_POSITION_MAX = 0.12;',
};

/** What quotes build up takes several orders to close. */
export const smallOrder: Edit = {
  file: 'test/simulation/world/account-law.ts',
  find: 'export const ORDER_MAX = 0.25;',
  replace: 'export const ORDER_MAX = 0.05;',
};

/** Lists have several pages. */
export const smallPages: Edit = {
  file: 'src/exchange/interface/limits.ts',
  find: 'pageLimitMax: 1000',
  replace: 'pageLimitMax: 4',
};

/** The number of orders does not stop a storm. */
export const manyOrders: Edit = {
  file: 'test/simulation/world/process.ts',
  find: 'export const OPEN_ORDERS_MAX = 12;',
  replace: 'export const OPEN_ORDERS_MAX = 200;',
};

/** Nor does the position. */
export const smallStorm: Edit = {
  file: 'test/simulation/world/restless.ts',
  find: "quantity: '0.05' }),",
  replace: "quantity: '0.0002' }),",
};

/** The clock is measured once, well or badly. */
export const oneClockSample: Edit = {
  file: 'src/exchange/client/clock-offset.ts',
  find: 'const SAMPLES_PER_ROUND = 5;',
  replace: 'const SAMPLES_PER_ROUND = 1;',
};

/** A process that ended stays down for minutes, and the time to agree is longer by as much. */
export const longDown: readonly Edit[] = [
  {
    file: 'test/simulation/world/machine.ts',
    find: 'const RESTART_MS_MAX = 20_000;',
    replace: 'const RESTART_MS_MAX = 200_000;',
  },
  {
    file: 'test/simulation/world/simulate.ts',
    find: 'const AGREE_US = 180_000_000;',
    replace: 'const AGREE_US = 380_000_000;',
  },
];

/** An order answers every fill. */
export const answersEveryFill: Edit = {
  file: 'test/simulation/world/restless.ts',
  find: 'filter(() => random() < 0.2),',
  replace: 'filter(() => random() < 2),',
};

/** What was read whole is not read again for minutes: what was not read is missed after a short outage already. */
export const shortOverlap: Edit = {
  file: 'src/reconciler/reading-planner.ts',
  find: 'const OVERLAP_MS = 120_000;',
  replace: 'const OVERLAP_MS = 5_000;',
};

/** A kill lasts for seconds. */
export const shortKills: Edit = {
  file: 'test/simulation/world/hazards.ts',
  find: 'const KILLED_MS_MAX = 180_000;',
  replace: 'const KILLED_MS_MAX = 20_000;',
};

/** Quotes are decided at prices at which they would trade. */
export const crossingQuotes: Edit = {
  file: 'test/simulation/world/restless.ts',
  find: 'bids: random() < 0.9 ? [{ price: bid - away, quantity }] : [],',
  replace: 'bids: random() < 0.9 ? [{ price: bid + away * 3, quantity }] : [],',
};

/** Many orders look the same. */
export const sameTerms: Edit = {
  file: 'test/simulation/world/restless.ts',
  find: "price: near(-3), quantity: '0.001' }),",
  replace: "price: Math.floor(mid / 100) * 100 - 100, quantity: '0.001' }),",
};

/** A small loss stops a day. */
export const smallDayLoss: readonly Edit[] = [
  {
    file: 'test/simulation/world/process.ts',
    find: '          messagesPerSecond: 10,',
    replace: '          messagesPerSecond: 10,\n          dailyLossFraction: 0.02,',
  },
  {
    file: 'test/simulation/world/day-loss-law.ts',
    find: 'const LOSS_MAX = 0.21;',
    replace: 'const LOSS_MAX = 0.03;',
  },
];

/** The account is read seldom, whatever is in doubt. */
export const seldomRead: Edit = {
  file: 'src/reconciler/options.ts',
  find: 'urgentIntervalMs: from(100, 2_000,',
  replace: 'urgentIntervalMs: from(100, 20_000,',
};

/** Sales rest as reductions. */
export const restingReductions: Edit = {
  file: 'test/simulation/world/restless.ts',
  find: "if (chance < 0.4) return place({ symbol: SYMBOL, side: 'sell', type: 'limit', price: near(1), quantity });",
  replace:
    "if (chance < 0.4) return place({ symbol: SYMBOL, side: 'sell', type: 'limit', price: near(1), quantity, reduceOnly: true });",
};

/** What a strategy holds of the perpetual it rests to close, away from the market, and takes that back soon. */
export const passingExits: Edit = {
  file: 'test/simulation/world/futures/strategies.ts',
  find: "  if (chance < 0.46)\n    return place({ ...order, side: closes, type: 'limit', price: near(held > 0 ? 1 : -1), reduceOnly: true });",
  replace:
    "  if (held !== 0 && chance > 0.6 && chance < 0.95) return cancelAll({ symbol: PERPETUAL });\n  if (held !== 0 && chance < 0.95)\n    return place({ ...order, quantity: Math.abs(held).toFixed(4), side: closes, type: 'limit', price: near(held > 0 ? 20 : -20), reduceOnly: true });",
};

/** Of an instrument nothing changes but the step of its prices. */
export const ticksAlone: Edit = {
  file: 'test/simulation/world/changed-instruments.ts',
  find: "plan.pick<Way>(['tick', 'lot', 'least quantity', 'least notional', 'halted', 'delisted'])",
  replace: "plan.pick<Way>(['tick'])",
};

/**
 * Every two minutes a human buys, and half a minute later we do, on the very same terms: never within the fence after ours, where
 * nothing would tell them apart.
 */
export const humanOnOurTerms: readonly Edit[] = [
  {
    file: 'test/simulation/world/venue-side.ts',
    find: "  humanOrder(trades: boolean, isNear = false): void {\n    const side = this.#random.next() < 0.5 ? 'buy' : 'sell';",
    replace:
      "  humanOrder(trades: boolean, isNear = false): void {\n    if (trades && Math.floor(this.sandbox.now() / 1000) % 120 > 0) return;\n    const side = trades || this.#random.next() < 0.5 ? 'buy' : 'sell';",
  },
  {
    file: 'test/simulation/world/venue-side.ts',
    find: "    const price = (ticks / 100).toFixed(2).replace(/\\.?0+$/, '');\n    const timeInForce",
    replace:
      "    const price = trades ? '61000' : (ticks / 100).toFixed(2).replace(/\\.?0+$/, '');\n    const timeInForce",
  },
  {
    file: 'test/simulation/world/restless.ts',
    find: "          if (plan.strikes('strategy-storm')) return storm(mid);",
    replace:
      "          const second = Math.floor(clock.now() / 1000) % 120;\n          if (second >= 24 && second < 36)\n            return place({ symbol: SYMBOL, side: 'buy', type: 'limit', price: 61_000, quantity: '0.002', timeInForce: 'ioc' });\n          if (plan.strikes('strategy-storm')) return storm(mid);",
  },
];
