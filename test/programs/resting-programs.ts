/** Programs that rest at once, one a kind, for what a barrier cancels and gives back. */
import { bracket, dca, grid, oco, type Action } from '../../src/index.ts';
import { SYMBOL } from './program-rig.ts';

const entry = { symbol: SYMBOL, type: 'limit', quantity: '0.02' } as const;
export const actions = {
  bracket: bracket({ entry: { ...entry, side: 'buy', price: 59_000 }, takeProfit: { bps: 100 }, stopLoss: 58_000 }),
  dca: dca({
    symbol: SYMBOL,
    levels: [
      { bps: 10, quantity: '0.01' },
      { bps: 20, quantity: '0.02' },
    ],
    takeProfit: { bps: 50 },
  }),
  grid: grid({ symbol: SYMBOL, low: 59_000, high: 59_600, levels: 3, quantity: '0.01', side: 'long' }),
  oco: oco({
    symbol: SYMBOL,
    legs: [
      { kind: 'place', ...entry, side: 'sell', price: 61_000, reduceOnly: false },
      { kind: 'stop', symbol: SYMBOL, side: 'sell', trigger: 55_000, quantity: '0.02', reduceOnly: false },
    ],
  }),
} satisfies Readonly<Record<string, Action>>;
export const kinds = Object.keys(actions) as readonly (keyof typeof actions)[];
