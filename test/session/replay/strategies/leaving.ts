/** Ends the process at its first price, if it is let. */
import { defineStrategy } from 'tidewire';
import { map } from 'rxjs';

export default defineStrategy({
  name: 'leaving',
  symbols: () => ['BTCUSDT'],
  setup: ({ market }) => market.top('BTCUSDT').pipe(map(() => process.exit(0))),
});
