/** Programs of the simulated strategy: each kind, small, with a time at which it ends. */
import {
  bracket,
  chase,
  dca,
  grid,
  iceberg,
  oco,
  place,
  pov,
  stop,
  target,
  trailingStop,
  twap,
  type Action,
} from '../../../src/index.ts';
import type { TargetVia } from '../../../src/model/trading/action.ts';

function viaOf(random: () => number, over: string, expire: string): TargetVia {
  const chance = random();
  if (chance < 0.4) return { twap: { over, slices: 4, expire } };
  return chance < 0.7 ? { pov: { over, participation: 0.2, expire } } : { chase: { crossAfter: '15s', expire } };
}

export function programWhim(random: () => number, mid: number, symbol: string): Action {
  const quantity = `0.0${1 + Math.floor(random() * 5)}`;
  const side = random() < 0.5 ? 'buy' : 'sell';
  const away = (bps: number): number => Math.round(mid * (1 + ((side === 'buy' ? 1 : -1) * bps) / 10_000));
  // Some outlive what happens to the process and its journal.
  const expire = random() < 0.3 ? '10m' : '60s';
  const over = '20s';
  // Else most sales of what is not held would be denied.
  const opens = random() < 0.7 ? { reduceOnly: false } : {};
  const choices: readonly (() => Action)[] = [
    () => stop({ symbol, side, quantity, ...opens, trigger: away(1 + random() * 5), expire }),
    () => trailingStop({ symbol, side, quantity, ...opens, bps: 1 + random() * 5, expire }),
    () =>
      oco({
        symbol,
        legs: [
          place({ symbol, side, ...opens, type: 'limit', price: away(-3), quantity }),
          { kind: 'stop', symbol, side, quantity, ...opens, trigger: away(3) },
        ],
        expire,
      }),
    () =>
      bracket({
        entry:
          random() < 0.5
            ? { symbol, side, type: 'market', quantity }
            : { symbol, side, type: 'limit', price: away(-1), quantity },
        takeProfit: [
          { price: { bps: 1 + random() * 3 }, fraction: 0.5 },
          { price: { bps: 3 + random() * 3 }, fraction: 0.5 },
        ],
        stopLoss: { bps: 1 + random() * 4 },
        ...(random() < 0.5 ? { trailing: { bps: 2 + random() * 4 } } : {}),
        timeLimit: '30s',
        expire,
      }),
    () => twap({ symbol, side, quantity, over, slices: 4, expire }),
    () => pov({ symbol, side, quantity, over, participation: 0.2, expire }),
    () => iceberg({ symbol, side, quantity: '0.05', show: '0.01', variance: 0.3, price: away(-1), expire }),
    () => chase({ symbol, side, quantity, crossAfter: '15s', expire }),
    () =>
      grid({
        symbol,
        low: Math.round(mid * 0.9995),
        high: Math.round(mid * 1.0005),
        levels: 5,
        quantity: '0.01',
        side: 'neutral',
        stopLoss: Math.round(mid * 0.999),
        expire,
      }),
    () => target(symbol, { quantity: random() < 0.3 ? '0' : quantity, via: viaOf(random, over, expire) }),
    () =>
      dca({
        symbol,
        side,
        levels: [
          { bps: 0, quantity: '0.01' },
          { bps: 3, quantity: '0.02' },
        ],
        takeProfit: { bps: 3 },
        stopLoss: { bps: 8 },
        expire,
      }),
  ];
  const chosen = choices[Math.floor(random() * choices.length)] ?? choices[0]!;
  return chosen();
}
