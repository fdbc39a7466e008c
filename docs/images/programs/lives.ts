/** The market in which the example of each program lives: a price a second, quote units, and when the process is killed. */

export interface Life {
  /** Mid of each second; of the second symbol too where the program trades two. */
  readonly prices: readonly (readonly number[])[];
  readonly symbols: readonly string[];
  /** Seconds at which the process dies by `kill -9` and starts anew on its journal. */
  readonly killedAt: number;
  /** Base units at the best bid and ask; 0.5 where it is left out. */
  readonly depth?: number;
}

const START = 60_000;
const START_ETH = 3_000;
/** Half a turn of a wave each so many seconds, so that the way is not straight. */
const WAVE_S = 5;

/** Straight between points [second, price], with a small wave. */
function way(points: readonly (readonly [second: number, price: number])[], wave = 4): readonly number[] {
  const last = points.at(-1)?.[0] ?? 0;
  return Array.from({ length: last + 1 }, (_, second) => {
    const next = points.findIndex(([at]) => at > second);
    const [from, to] = next < 0 ? [points.at(-1)!, points.at(-1)!] : [points[next - 1]!, points[next]!];
    const share = to[0] === from[0] ? 0 : (second - from[0]) / (to[0] - from[0]);
    return from[1] + share * (to[1] - from[1]) + wave * Math.sin((Math.PI * second) / WAVE_S);
  });
}

function one(points: readonly (readonly [number, number])[], killedAt: number, wave?: number): Life {
  return { prices: way(points, wave).map((price) => [price]), symbols: ['BTCUSDT'], killedAt };
}

function two(
  first: readonly (readonly [number, number])[],
  second: readonly (readonly [number, number])[],
  killedAt: number,
): Life {
  const [left, right] = [way(first), way(second, 0.2)];
  return {
    prices: left.map((price, at) => [price, right[at] ?? price]),
    symbols: ['BTCUSDT', 'ETHUSDT'],
    killedAt,
  };
}

export const lives: Readonly<Record<string, Life>> = {
  stop: one(
    [
      [0, START],
      [25, START + 30],
      [60, START - 110],
      [75, START - 90],
    ],
    30,
  ),
  trailingStop: one(
    [
      [0, START],
      [40, START + 160],
      [65, START + 60],
      [75, START + 80],
    ],
    25,
  ),
  oco: one(
    [
      [0, START],
      [25, START - 50],
      [60, START + 140],
      [75, START + 120],
    ],
    20,
  ),
  bracket: one(
    [
      [0, START],
      [20, START - 60],
      [45, START + 80],
      [75, START + 160],
      [80, START + 150],
    ],
    32,
  ),
  twap: one(
    [
      [0, START],
      [40, START + 40],
      [80, START - 30],
    ],
    42,
  ),
  vwap: one(
    [
      [0, START],
      [40, START - 40],
      [80, START + 20],
    ],
    42,
  ),
  pov: one(
    [
      [0, START],
      [40, START + 50],
      [80, START + 10],
    ],
    30,
  ),
  iceberg: {
    ...one(
      [
        [0, START + 20],
        [8, START + 0.3],
        [70, START + 0.3],
        [80, START + 20],
      ],
      18,
      0,
    ),
    depth: 0.02,
  },
  chase: one(
    [
      [0, START],
      [20, START + 60],
      [40, START + 120],
      [60, START + 60],
    ],
    25,
    2,
  ),
  grid: one(
    [
      [0, START],
      [15, START + 130],
      [40, START - 140],
      [65, START + 90],
      [80, START],
    ],
    45,
    12,
  ),
  dca: one(
    [
      [0, START],
      [20, START - 110],
      [45, START - 190],
      [75, START + 40],
      [80, START + 30],
    ],
    30,
  ),
  rebalance: {
    ...two(
      [
        [0, START],
        [30, START + 60],
      ],
      [
        [0, START_ETH],
        [30, START_ETH - 4],
      ],
      4,
    ),
    depth: 5,
  },
  pair: {
    ...two(
      [
        [0, START],
        [30, START + 40],
      ],
      [
        [0, START_ETH],
        [30, START_ETH + 3],
      ],
      4,
    ),
    depth: 0.08,
  },
};
