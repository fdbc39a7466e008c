/** Random programs in stretches of a file: the action for tidewire and the reference of the same terms. */
import type { ProgramKind } from '../../../src/model/trading/program.ts';
import type { Dataset } from '../dataset.ts';
import { Texts } from '../decimal-texts.ts';
import { touchAt } from '../script.ts';
import { between, given, pick, type Random } from './chance.ts';
import type { Reference, Side } from './desk.ts';
import { type Account, type Made, pairOf, rebalanceOf } from './draw-many.ts';
import type { ProgramStep } from './play.ts';
import { bracket, type BracketTerms } from './reference/bracket.ts';
import { dca, type DcaTerms } from './reference/dca.ts';
import { grid, gridPrices } from './reference/grid.ts';
import { oco } from './reference/oco.ts';
import { pov } from './reference/pov.ts';
import { chase, iceberg } from './reference/resting.ts';
import { slices } from './reference/slices.ts';
import { armedStop, armedTrail, priceOfStop, single } from './reference/stops.ts';
import type { Source } from './reference/trigger.ts';

/** One stretch: a program, its cancel, a flat position, quiet. */
export const STRETCH_MS = 30_000;
const LIFE_MS = 24_000;

export interface Drawn {
  readonly step: ProgramStep;
  readonly reference: (before: Account) => Reference;
  /** It is cancelled by itself; else Infinity. */
  readonly expireUs: number;
}

interface Draw {
  readonly random: Random;
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly side: Side;
  /** Lots, a multiple of ten. */
  readonly quantity: number;
  /** Lots of the least order. */
  readonly least: number;
  /** The same at a price in ticks. */
  readonly leastAt: (ticks: number) => number;
  readonly by: Source | undefined;
  /** What a stop that may open says. */
  readonly opens: { readonly reduceOnly: false };
  /** Ticks of `bps` of the price, at least one. */
  readonly ticks: (bps: number) => number;
  readonly price: (ticks: number) => string;
  readonly amount: (lots: number) => string;
}

const MAKERS: Readonly<Partial<Record<ProgramKind, (draw: Draw) => Made>>> = {
  stop: (draw) => {
    const { random, side, quantity, by, bid, ask, ticks, price, amount, symbol, opens } = draw;
    const away = ticks(between(random, 0.1, 4));
    const trigger = side === 'sell' ? bid - away : ask + away;
    const limit = random() < 0.3 ? ticks(between(random, 0.1, 2)) : undefined;
    const terms = { side, quantity, trigger, ...given('limit', limit), ...given('by', by) };
    return {
      action: {
        kind: 'stop',
        ...opens,
        symbol,
        side,
        quantity: amount(quantity),
        trigger: price(trigger),
        ...given('by', by),
        ...given('limit', limit === undefined ? undefined : price(limit)),
      },
      reference: () => single(side, quantity, priceOfStop(terms), armedStop(terms)),
    };
  },
  trailingStop: (draw) => {
    const { random, side, quantity, by, bid, ask, ticks, price, amount, symbol, opens } = draw;
    const trail = trailOf(draw, side);
    const toward = ticks(between(random, 0.1, 1.5));
    const activation = random() < 0.3 ? (side === 'sell' ? bid + toward : ask - toward) : undefined;
    const terms = { side, quantity, ...trail.terms, ...given('activation', activation), ...given('by', by) };
    return {
      action: {
        kind: 'trailingStop',
        ...opens,
        symbol,
        side,
        quantity: amount(quantity),
        ...trail.action,
        ...given('by', by),
        ...given('activation', activation === undefined ? undefined : price(activation)),
      },
      reference: () => single(side, quantity, null, armedTrail(terms)),
    };
  },
  oco: (draw) => {
    const { random, side, quantity, bid, ask, ticks, price, amount, symbol } = draw;
    const profit = side === 'sell' ? ask + ticks(between(random, 0.1, 3)) : bid - ticks(between(random, 0.1, 3));
    const away = ticks(between(random, 0.2, 3));
    const trigger = side === 'sell' ? bid - away : ask + away;
    const common = { symbol, side, quantity: amount(quantity) };
    const place = { kind: 'place', ...common, ...draw.opens, type: 'limit', price: price(profit) };
    const trail = trailOf(draw, side);
    const isTrail = random() < 0.4;
    const second = isTrail
      ? { kind: 'trailingStop', ...common, ...draw.opens, ...trail.action }
      : { kind: 'stop', ...common, ...draw.opens, trigger: price(trigger) };
    const armed = () =>
      isTrail ? armedTrail({ side, quantity, ...trail.terms }) : armedStop({ side, quantity, trigger });
    return {
      action: { kind: 'oco', symbol, legs: random() < 0.5 ? [place, second] : [second, place] },
      reference: () =>
        oco(side, quantity, [
          { price: profit, armed: null },
          { price: null, armed: armed() },
        ]),
    };
  },
  bracket: (draw) => {
    const { random, side, quantity, by, bid, ask, ticks, price, amount, symbol } = draw;
    const isMarket = random() < 0.5;
    const inward = pick(random, [0, 0, ticks(between(random, 0.05, 0.5))]);
    const entryPrice = side === 'buy' ? bid - inward : ask + inward;
    const count = pick(random, [1, 1, 2, 3]);
    const base = between(random, 0.3, 2);
    const levels = Array.from({ length: count }, (_, index) => ({
      price: { bps: Number((base * (index + 1)).toFixed(2)) },
      fraction: count === 3 ? ([0.5, 0.3, 0.2][index] ?? 0) : 1 / count,
    }));
    const stopBps = random() < 0.8 ? Number(between(random, 0.5, 4).toFixed(2)) : undefined;
    const trail = random() < 0.3 ? trailOf(draw, side === 'buy' ? 'sell' : 'buy') : undefined;
    const timeLimit = random() < 0.3 ? pick(random, [3, 7, 12]) : undefined;
    const terms: BracketTerms = {
      side,
      quantity,
      price: isMarket ? null : entryPrice,
      takeProfit: levels,
      ...given('stopLoss', stopBps === undefined ? undefined : { bps: stopBps }),
      ...given('trailing', trail?.terms),
      ...given('by', by),
      ...given('timeLimitUs', timeLimit === undefined ? undefined : timeLimit * 1e6),
    };
    return {
      action: {
        kind: 'bracket',
        entry: isMarket
          ? { symbol, side, type: 'market', quantity: amount(quantity) }
          : { symbol, side, type: 'limit', price: price(entryPrice), quantity: amount(quantity) },
        takeProfit: count === 1 ? levels[0]?.price : levels,
        ...given('stopLoss', terms.stopLoss),
        ...given('trailing', trail?.action),
        ...given('by', by),
        ...given('timeLimit', timeLimit === undefined ? undefined : `${timeLimit}s`),
      },
      reference: () => bracket(terms),
    };
  },
  twap: (draw) => slicesOf(draw, false),
  vwap: (draw) => slicesOf(draw, true),
  pov: ({ random, least, side, quantity, amount, symbol, bid, ask, ticks, price }) => {
    const seconds = pick(random, [8, 15, 20]);
    const participation = pick(random, [0.01, 0.05, 0.2, 0.5]);
    const limit = random() < 0.3 ? (side === 'buy' ? ask : bid) + pick(random, [-1, 1]) * ticks(0.3) : undefined;
    const terms = { side, quantity, least, participation, overUs: seconds * 1e6, ...given('limit', limit) };
    return {
      action: {
        kind: 'pov',
        symbol,
        side,
        quantity: amount(quantity),
        participation,
        over: `${seconds}s`,
        ...given('limit', limit === undefined ? undefined : price(limit)),
      },
      reference: () => pov(terms),
    };
  },
  iceberg: ({ random, side, quantity, amount, symbol, bid, ask, ticks, price }) => {
    const toward = pick(random, [0, ticks(0.2), -ticks(0.3)]);
    const at = side === 'buy' ? bid + toward : ask - toward;
    const show = Math.max(1, Math.floor(quantity * pick(random, [0.1, 0.3, 0.35, 0.5])));
    return {
      action: { kind: 'iceberg', symbol, side, quantity: amount(quantity), price: price(at), show: amount(show) },
      reference: () => iceberg(side, quantity, at, show),
    };
  },
  chase: ({ random, side, quantity, amount, symbol, ticks, price }) => {
    const offset = pick(random, [0, 0, 1, 5]);
    const within = random() < 0.3 ? ticks(between(random, 0.1, 1)) : undefined;
    const seconds = random() < 0.5 ? pick(random, [2, 5, 10]) : undefined;
    const terms = {
      side,
      quantity,
      offset,
      ...given('within', within),
      ...given('crossAfterUs', seconds === undefined ? undefined : seconds * 1e6),
    };
    return {
      action: {
        kind: 'chase',
        symbol,
        side,
        quantity: amount(quantity),
        ...(offset === 0 ? {} : { offsetTicks: offset }),
        ...given('within', within === undefined ? undefined : price(within)),
        ...given('crossAfter', seconds === undefined ? undefined : `${seconds}s`),
      },
      reference: () => chase(terms),
    };
  },
  grid: ({ random, quantity, leastAt, by, amount, symbol, bid, ticks, price }) => {
    const levels = pick(random, [3, 4, 6, 9]);
    const reach = Math.max(levels, ticks(between(random, 0.5, 4)));
    const low = bid - Math.ceil(reach * between(random, 0.2, 1));
    const high = low + reach * 2;
    const spacing = pick(random, ['arithmetic', 'geometric'] as const);
    const side = pick(random, ['long', 'short', 'neutral'] as const);
    const [below, above] = [low - ticks(between(random, 0.1, 1)), high + ticks(between(random, 0.1, 1))];
    const bounds = {
      ...given('stopLoss', random() < 0.4 ? (side === 'short' ? above : below) : undefined),
      ...given('takeProfit', random() < 0.3 ? (side === 'short' ? below : above) : undefined),
    };
    const texts = Object.fromEntries(Object.entries(bounds).map(([name, value]) => [name, price(value)]));
    const levelPrices = gridPrices(low, high, levels, spacing);
    const terms = { prices: levelPrices, quantity, least: leastAt, side, ...bounds, ...given('by', by) };
    const shape = { low: price(low), high: price(high), levels, quantity: amount(quantity), spacing, side };
    return { action: { kind: 'grid', symbol, ...shape, ...texts, ...given('by', by) }, reference: () => grid(terms) };
  },
  dca: ({ random, side, quantity, leastAt, by, amount, symbol }) => {
    const count = pick(random, [1, 2, 3, 4]);
    const gap = between(random, 0.1, 1.5);
    const levels = Array.from({ length: count }, (_, index) => ({
      bps: Number((gap * index).toFixed(2)),
      quantity: quantity * (index + 1),
    }));
    const terms: DcaTerms = {
      side,
      levels,
      least: leastAt,
      takeProfitBps: Number(between(random, 0.3, 2).toFixed(2)),
      ...given('by', by),
      ...given('stopLossBps', random() < 0.6 ? Number(between(random, 0.5, 4).toFixed(2)) : undefined),
    };
    return {
      action: {
        kind: 'dca',
        symbol,
        side,
        takeProfit: { bps: terms.takeProfitBps },
        ...given('by', by),
        ...given('stopLoss', terms.stopLossBps === undefined ? undefined : { bps: terms.stopLossBps }),
        levels: levels.map((level) => ({ bps: level.bps, quantity: amount(level.quantity) })),
      },
      reference: () => dca(terms),
    };
  },
};

function trailOf({ random, ticks, price }: Draw, _side: Side) {
  const step = random() < 0.3 ? ticks(between(random, 0.05, 0.3)) : undefined;
  const bps = Number(between(random, 0.2, 2).toFixed(2));
  const distance = random() < 0.5 ? ticks(between(random, 0.2, 2)) : undefined;
  return {
    terms: { ...given('step', step), ...(distance === undefined ? { bps } : { distance }) },
    action: {
      ...given('step', step === undefined ? undefined : price(step)),
      ...(distance === undefined ? { bps } : { distance: price(distance) }),
    },
  };
}

function slicesOf(
  { random, side, quantity, leastAt, amount, symbol, bid, ask, ticks, price }: Draw,
  isVolume: boolean,
): Made {
  const seconds = pick(random, [8, 12, 20]);
  const count = pick(random, [2, 3, 4]);
  const urgency = pick(random, ['low', 'normal', 'high', undefined] as const);
  const limit = random() < 0.2 ? (side === 'buy' ? ask : bid) + pick(random, [-1, 1]) * ticks(0.3) : undefined;
  const curve = isVolume && random() < 0.8 ? Array.from({ length: count }, () => Math.ceil(random() * 5)) : undefined;
  const terms = {
    side,
    quantity,
    least: leastAt,
    overUs: seconds * 1e6,
    slices: count,
    urgency: urgency ?? ('normal' as const),
    ...given('limit', limit),
    ...given('curve', curve),
  };
  return {
    action: {
      kind: isVolume ? 'vwap' : 'twap',
      symbol,
      side,
      quantity: amount(quantity),
      over: `${seconds}s`,
      slices: count,
      ...given('urgency', urgency),
      ...given('curve', curve),
      ...given('limit', limit === undefined ? undefined : price(limit)),
    },
    reference: () => slices(terms),
  };
}

export const DRAWN_KINDS = Object.keys(MAKERS) as readonly ProgramKind[];

/** A program in the stretch that begins at `ms`. Undefined: no book stands there. */
export function drawProgram(
  datasets: readonly Dataset[],
  random: Random,
  ms: number,
  ref: string,
  kind: ProgramKind,
): Drawn | undefined {
  const made = madeOf(datasets, random, ms, kind);
  if (made === undefined) return undefined;
  const { action, reference } = made;
  const expire = random() < 0.1 ? pick(random, [5, 10]) : undefined;
  const terms = { ...action, ref, ...given('expire', expire === undefined ? undefined : `${expire}s`) };
  return {
    step: {
      ms,
      cancelMs: ms + LIFE_MS,
      flattenMs: ms + LIFE_MS + 1500,
      // Drawn in the shape of the builders; the executor checks it.
      action: terms as unknown as ProgramStep['action'],
    },
    reference,
    expireUs: expire === undefined ? Infinity : (ms + expire * 1000) * 1000,
  };
}

function madeOf(datasets: readonly Dataset[], random: Random, ms: number, kind: ProgramKind): Made | undefined {
  if (kind === 'rebalance') return rebalanceOf(datasets, random, ms);
  if (kind === 'pair') return pairOf(datasets, random);
  const [dataset] = datasets;
  const touch = dataset === undefined ? undefined : touchAt(dataset.touches, ms * 1000);
  const make = MAKERS[kind];
  if (dataset === undefined || make === undefined || touch === undefined) return undefined;
  if (touch.bid === null || touch.ask === null) return undefined;
  const { bid, ask } = touch;
  const texts = new Texts(dataset.recorded);
  const { minLots = 1, minTickLots = 0 } =
    dataset.tape.instruments.find((one) => one.symbol === dataset.symbol)?.limits ?? {};
  const leastAt = (ticks: number): number => Math.max(minLots, Math.ceil(minTickLots / ticks));
  const least = leastAt(bid);
  return make({
    random,
    symbol: dataset.symbol,
    bid,
    ask,
    side: random() < 0.5 ? 'buy' : 'sell',
    quantity: 10 * Math.ceil((2 * least) / 10 + (dataset.sizeMost / 10) * random() ** 3) * (least > 1 ? 10 : 1),
    least,
    leastAt,
    by: pick(random, [undefined, undefined, 'last', 'mid', 'bid-ask'] as const),
    opens: { reduceOnly: false },
    ticks: (bps) => Math.max(1, Math.round((bid * bps) / 10_000)),
    price: (ticks) => texts.price(ticks),
    amount: (lots) => texts.quantity(lots),
  });
}
