/** `iceberg` shows a part at a time; `chase` keeps one limit at the touch. */
import type { Child, Reference, Side } from '../desk.ts';

export function iceberg(side: Side, quantity: number, price: number, show: number): Reference {
  return {
    act: (desk) => {
      const left = quantity - desk.filled(side);
      if (left === 0) desk.end('done');
      else if (desk.open().length === 0) desk.send({ side, price, quantity: Math.min(show, left) });
    },
  };
}

export interface ChaseTerms {
  readonly side: Side;
  readonly quantity: number;
  /** Away from the touch, ticks. */
  readonly offset: number;
  /** From the first price, ticks. */
  readonly within?: number;
  readonly crossAfterUs?: number;
}

export function chase({ side, quantity, offset, within, crossAfterUs }: ChaseTerms): Reference {
  let first: number | undefined;
  let startUs = 0;
  let current: Child | undefined;
  return {
    act: (desk, news) => {
      if (news.kind === 'start') {
        startUs = desk.nowUs;
        if (crossAfterUs !== undefined) desk.wake(startUs + crossAfterUs);
      }
      const left = quantity - desk.filled(side);
      if (left === 0) {
        desk.end('done');
        return;
      }
      const { bid, ask } = desk.touch();
      const touch = side === 'buy' ? bid - offset : ask + offset;
      first ??= touch;
      const bound = within ?? Infinity;
      const price = side === 'buy' ? Math.min(touch, first + bound) : Math.max(touch, first - bound);
      const mustCross = crossAfterUs !== undefined && desk.nowUs >= startUs + crossAfterUs;
      if (current?.isOpen === true) {
        if (current.wish.price !== null && (mustCross || current.wish.price !== price)) desk.cancel(current);
        return;
      }
      current = desk.send({ side, price: mustCross ? null : price, quantity: left });
    },
  };
}
