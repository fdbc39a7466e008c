/** A strategy of one order far from the market, which rests: what is asked of orders that are left must not hang on a requote. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freshFolder } from './cli.ts';

const RESTS = `
import { defineStrategy, place } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'rests',
  symbols: () => ['BTCUSDT'],
  setup: ({ market }) => {
    const instrument = market.instrument('BTCUSDT');
    const far = (mid) => instrument.roundPrice(mid * 0.97, 'down');
    return market.top('BTCUSDT').pipe(
      take(1),
      map(({ mid }) => place({ symbol: 'BTCUSDT', side: 'buy', type: 'limit', quantity: '0.001', price: far(mid) })),
    );
  },
});
`;

/** Its file, in a folder of its own. */
export function restingStrategy(): string {
  const file = join(freshFolder(), 'rests.ts');
  writeFileSync(file, RESTS);
  return file;
}
