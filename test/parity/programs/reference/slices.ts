/** `twap` and `vwap`: a slice waits at the touch, then crosses; what it leaves is the next one's. */
import type { Child, Reference, Side } from '../desk.ts';
import { Retry } from './retry.ts';

export interface SliceTerms {
  readonly side: Side;
  readonly quantity: number;
  /** Lots of the least order at a price. */
  readonly least: (price: number) => number;
  readonly overUs: number;
  readonly slices: number;
  readonly urgency: 'low' | 'normal' | 'high';
  /** Never worse. */
  readonly limit?: number;
  /** Relative volume of each slice; none: equal. */
  readonly curve?: readonly number[];
}

const WAIT = { low: 1, normal: 0.5, high: 0 } as const;

export function slices(terms: SliceTerms): Reference {
  const { side, quantity, overUs, slices: count, urgency, limit, curve, least } = terms;
  const weights = curve ?? Array.from({ length: count }, () => 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const lengthUs = overUs / count;
  let startUs = 0;
  let slice = -1;
  let current: Child | undefined;
  let retry = new Retry();
  let crossed = -1;
  let sentIn = -1;
  /** Whole ms at which a part of the slices has passed. */
  const timeOf = (part: number): number => 1000 * Math.ceil((startUs + part * lengthUs) / 1000);
  /** Parent quantity that is due at the end of a slice. */
  const due = (index: number): number => {
    const share = weights.slice(0, index + 1).reduce((sum, weight) => sum + weight, 0) / total;
    return index === count - 1 ? quantity : Math.floor(quantity * share + 1e-7);
  };
  return {
    act: (desk, news) => {
      if (news.kind === 'start') {
        startUs = desk.nowUs;
        for (let index = 0; index <= count; index++) {
          desk.wake(timeOf(index));
          if (index < count) desk.wake(timeOf(index + WAIT[urgency]));
        }
      }
      const left = quantity - desk.filled(side);
      if (left === 0) {
        desk.end('done');
        return;
      }
      while (slice < count - 1 && desk.nowUs >= timeOf(slice + 1)) {
        slice++;
        retry = new Retry();
      }
      const mustCross = desk.nowUs >= timeOf(slice + WAIT[urgency]);
      const isCross = current?.wish.price === null || (current !== undefined && crossed === slice);
      if (current?.isOpen === true) {
        const { wish, filled } = current;
        // Less than the least order could not cross: it rests on.
        const rests = wish.price !== null && wish.quantity - filled < least(wish.price);
        if ((mustCross && !isCross && !rests) || sentIn < slice) desk.cancel(current);
        return;
      }
      const wanted = due(slice) - desk.filled(side);
      const { bid, ask } = desk.touch();
      if (wanted < least((bid + ask) / 2)) return;
      sentIn = slice;
      const leg = `slice:${slice + 1}`;
      if (mustCross) {
        // Within the limit only.
        if (limit !== undefined && (side === 'buy' ? ask > limit : bid < limit)) return;
        if (sentIn === slice && !retry.mayGo(desk, current, desk.filled(side))) return;
        crossed = slice;
        current = desk.send({ leg, side, price: limit ?? null, quantity: wanted });
        return;
      }
      const touch = side === 'buy' ? bid : ask;
      const price = limit === undefined ? touch : side === 'buy' ? Math.min(touch, limit) : Math.max(touch, limit);
      current = desk.send({ leg, side, price, quantity: wanted });
    },
  };
}
