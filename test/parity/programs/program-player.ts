/**
 * The strategy of the parity runs of programs: emits each program at its time, ends it at another and leaves what it
 * holds then, and decides nothing. Times are Unix ms.
 */
import { cancel, defineStrategy, flatten, z, type Action } from 'tidewire';
import { EMPTY, map, merge, timer } from 'rxjs';

const step = z.object({ ms: z.number().int(), action: z.looseObject({ kind: z.string() }) });

export default defineStrategy({
  name: 'program-player',
  params: z.object({
    steps: z.array(step),
    cancels: z.array(z.object({ ms: z.number().int(), ref: z.string() })),
    flattens: z.array(z.number().int()),
  }),
  setup({ params: { steps, cancels, flattens }, clock }) {
    const now = clock.now();
    const at = (ms: number, action: Action) => timer(ms - now).pipe(map(() => action));
    // The trial draws well-formed actions; the executor checks them.
    const streams = [
      ...steps.map(({ ms, action }) => at(ms, action as unknown as Action)),
      ...cancels.map(({ ms, ref }) => at(ms, cancel({ ref }))),
      ...flattens.map((ms) => at(ms, flatten())),
    ];
    return streams.length === 0 ? EMPTY : merge(...streams);
  },
});
