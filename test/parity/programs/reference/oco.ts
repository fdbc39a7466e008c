/** `oco`: what one leg fills the other loses, the end of one ends the other; never two exits for one lot. */
import type { Child, Reference, Side } from '../desk.ts';
import type { Armed } from './stops.ts';

export interface OcoLeg {
  /** Of a limit order that rests at once, or of what a stop sends; null: at market. */
  readonly price: number | null;
  readonly armed: Armed | null;
}

export function oco(side: Side, quantity: number, legs: readonly OcoLeg[]): Reference {
  let fired: OcoLeg | undefined;
  const resting: Child[] = [];
  let last: Child | undefined;
  return {
    act: (desk, news) => {
      if (news.kind === 'start') {
        for (const { armed, price } of legs) if (armed === null) resting.push(desk.send({ side, price, quantity }));
      }
      const left = quantity - desk.filled(side);
      if (left === 0) {
        for (const child of desk.open()) desk.cancel(child);
        desk.end('done');
        return;
      }
      for (const leg of legs) if (leg.armed?.(desk) === true && fired === undefined) fired = leg;
      if (fired === undefined || last !== undefined) return;
      for (const child of resting) desk.cancel(child);
      if (resting.every(({ isOpen }) => !isOpen)) last = desk.send({ side, price: fired.price, quantity: left });
    },
  };
}
