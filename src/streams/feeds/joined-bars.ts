/**
 * Bars of several symbols, joined by their open times.
 *
 *   a   1 2 3 4     each name has a queue; a bar that another name has passed can no longer become complete
 *   b   1   3 4     and is left out
 *   ▶   1   3 4
 */
import { Observable } from 'rxjs';
import type { Candle } from '../../model/market/views.ts';

/** One closed candle a name, all of one open time. */
export type Bars<Name extends string> = Readonly<Record<Name, Candle>>;

/** Bars that wait for a symbol without any; the oldest are left out. */
const WAITING_MAX = 10_000;

export class BarJoin<Name extends string> {
  readonly #queues: readonly { readonly name: Name; readonly waiting: Candle[] }[];

  constructor(names: readonly Name[]) {
    this.#queues = names.map((name) => ({ name, waiting: [] }));
  }

  /** The bar that became complete by this candle. */
  take(name: Name, candle: Candle): Bars<Name> | undefined {
    const own = this.#queues.find((queue) => queue.name === name)?.waiting;
    if (own === undefined) return undefined;
    own.push(candle);
    if (own.length > WAITING_MAX) own.shift();
    const oldest = Math.max(...this.#queues.map(({ waiting }) => waiting[0]?.openTime ?? Number.POSITIVE_INFINITY));
    if (oldest === Number.POSITIVE_INFINITY) return undefined;
    for (const { waiting } of this.#queues) while (waiting.length > 0 && waiting[0]!.openTime < oldest) waiting.shift();
    if (!this.#queues.every(({ waiting }) => waiting[0]?.openTime === oldest)) return undefined;
    return Object.freeze(
      Object.fromEntries(this.#queues.map(({ name: each, waiting }) => [each, waiting.shift()!])),
    ) as Bars<Name>;
  }
}

export function joinedBars<Name extends string>(
  candles: Readonly<Record<Name, Observable<Candle>>>,
): Observable<Bars<Name>> {
  return new Observable((subscriber) => {
    const names = Object.keys(candles) as Name[];
    const join = new BarJoin(names);
    let open = names.length;
    for (const name of names) {
      const subscription = candles[name].subscribe({
        next: (candle) => {
          const bars = join.take(name, candle);
          if (bars !== undefined) subscriber.next(bars);
        },
        error: (thrown: unknown) => subscriber.error(thrown),
        complete: () => {
          open--;
          if (open === 0) subscriber.complete();
        },
      });
      subscriber.add(subscription);
    }
  });
}
