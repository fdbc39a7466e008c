/** Transfers of the simulated strategy between its trading account and another one of the user, each of an amount of its own. */
import { transfer, type Action } from '../../../src/index.ts';

/** Of a strategy; a world of an hour meets that of the day. */
export const TRANSFER_LIMITS = {
  routes: [
    ['unified-trading', 'funding'],
    ['funding', 'unified-trading'],
  ],
  max: { USDT: '300' },
  maxPerDay: { USDT: '6000' },
};

const MICRO = 1_000_000;
const MOST = 320;

export function transferWhim(random: () => number): Action {
  const [from, to] =
    random() < 0.5 ? (['unified-trading', 'funding'] as const) : (['funding', 'unified-trading'] as const);
  // Never a whole number: those are a human's.
  const micros = 1 + 2 * Math.floor((random() * MOST * MICRO) / 2);
  const amount = `${Math.floor(micros / MICRO)}.${String(micros % MICRO).padStart(6, '0')}`;
  return transfer({ from, to, currency: 'USDT', amount });
}
