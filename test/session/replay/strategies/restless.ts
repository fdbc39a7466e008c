/** Sets a timer without a delay again and again: no time ever passes for it. */
import { defineStrategy } from 'tidewire';
import { ignoreElements, merge, repeat, timer } from 'rxjs';

export default defineStrategy({
  name: 'restless',
  setup: ({ market }) => merge(market.top('BTCUSDT'), timer(0).pipe(repeat())).pipe(ignoreElements()),
});
