/** The feeds of the market hand out values as a Subject of RxJS does, whoever comes or goes meanwhile. */
import fc from 'fast-check';
import { Subject, type Observable, type Subscription } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { Fanout } from '../../../src/streams/feeds/fanout.ts';

type Step =
  | { readonly kind: 'next'; readonly value: number }
  | { readonly kind: 'subscribe'; readonly id: number; readonly reaction: 'none' | 'leave' | 'invite' | 'again' }
  | { readonly kind: 'unsubscribe'; readonly id: number }
  | { readonly kind: 'complete' };

interface Source {
  readonly values: Observable<number>;
  readonly observed: () => boolean;
  next(value: number): void;
  complete(): void;
}

/** Everything that the subscribers of a source see, and whether anybody was there after each step. */
function play(source: Source, steps: readonly Step[]): readonly string[] {
  const seen: string[] = [];
  const subscriptions = new Map<number, Subscription>();
  const subscribe = (id: number, reaction: string): void => {
    subscriptions.get(id)?.unsubscribe();
    const subscription = source.values.subscribe({
      next: (value) => {
        seen.push(`${id} sees ${value}`);
        if (reaction === 'leave') subscriptions.get(id)?.unsubscribe();
        if (reaction === 'invite') subscribe(id + 10, 'none');
        if (reaction === 'again' && value < 100) source.next(value + 100);
      },
      complete: () => seen.push(`${id} is over`),
    });
    subscriptions.set(id, subscription);
  };
  for (const step of steps) {
    if (step.kind === 'next') source.next(step.value);
    else if (step.kind === 'subscribe') subscribe(step.id, step.reaction);
    else if (step.kind === 'unsubscribe') subscriptions.get(step.id)?.unsubscribe();
    else source.complete();
    seen.push(String(source.observed()));
  }
  return seen;
}

const id = fc.integer({ min: 0, max: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('next' as const), value: fc.integer({ min: 0, max: 9 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('subscribe' as const),
      id,
      reaction: fc.constantFrom('none' as const, 'leave' as const, 'invite' as const, 'again' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unsubscribe' as const), id }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'complete' as const }) },
);

describe('Fanout', () => {
  it('shows its subscribers what a Subject would, in the same order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const fanout = new Fanout<number>();
        const subject = new Subject<number>();
        const ours = play(
          {
            values: fanout.values,
            observed: () => fanout.observed,
            next: (value) => fanout.next(value),
            complete: () => fanout.complete(),
          },
          steps,
        );
        const theirs = play(
          {
            values: subject.asObservable(),
            observed: () => subject.observed,
            next: (value) => subject.next(value),
            complete: () => subject.complete(),
          },
          steps,
        );
        expect(ours).toEqual(theirs);
      }),
    );
  });
});
