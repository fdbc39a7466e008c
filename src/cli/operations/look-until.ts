/** Looks again for some seconds, since lists and balances may lag. */
import type { Clock } from '../../model/ports.ts';

const LOOKS = 3;
const LOOK_MS = 1_000;

/** The first look that is as expected, else the last. `look`: null where nothing could be read. */
export async function lookUntil<Seen>(
  { clock }: { readonly clock: Pick<Clock, 'after'> },
  isAsExpected: (seen: Seen) => boolean,
  look: () => Promise<Seen | null>,
): Promise<Seen | null> {
  for (let count = 1; ; count++) {
    const seen = await look();
    if (count === LOOKS || (seen !== null && isAsExpected(seen))) return seen;
    await new Promise<void>((resolve) => {
      clock.after(LOOK_MS, resolve);
    });
  }
}
