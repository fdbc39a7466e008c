/**
 * The strategy of the parity runs: sends the orders and cancels of a script at their times, and decides nothing. Times
 * are Unix ms; prices and quantities are decimal texts.
 */
import { cancel, defineStrategy, place, z, type Action } from 'tidewire';
import { EMPTY, map, merge, timer } from 'rxjs';

const step = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('place'),
    ms: z.number().int(),
    ref: z.string(),
    side: z.enum(['buy', 'sell']),
    price: z.string().nullable(),
    quantity: z.string(),
    timeInForce: z.enum(['gtc', 'ioc']),
  }),
  z.object({ kind: z.literal('cancel'), ms: z.number().int(), ref: z.string() }),
]);

type Step = z.infer<typeof step>;

function actionOf(symbol: string, told: Step): Action {
  if (told.kind === 'cancel') return cancel({ ref: told.ref });
  const { ref, side, price, quantity, timeInForce } = told;
  if (price === null) return place({ symbol, ref, side, type: 'market', quantity });
  return place({ symbol, ref, side, type: 'limit', price, quantity, timeInForce });
}

export default defineStrategy({
  name: 'script-player',
  params: z.object({ symbol: z.string(), steps: z.array(step) }),
  setup({ params: { symbol, steps }, clock }) {
    const byTime = new Map<number, Action[]>();
    for (const told of steps) {
      const actions = byTime.get(told.ms) ?? [];
      actions.push(actionOf(symbol, told));
      byTime.set(told.ms, actions);
    }
    const now = clock.now();
    const streams = [...byTime].map(([ms, actions]) => timer(ms - now).pipe(map(() => actions)));
    return streams.length === 0 ? EMPTY : merge(...streams);
  },
});
