/** `pov`: crosses for a share of what is printed since its start; at the end it says what is left. */
import type { Child, Reference, Side } from '../desk.ts';
import { Retry } from './retry.ts';

export interface PovTerms {
  readonly side: Side;
  readonly quantity: number;
  readonly participation: number;
  readonly overUs: number;
  readonly limit?: number;
  /** Lots of the least order: less waits, a rest that is less goes with the part before it. */
  readonly least: number;
}

export function pov({ side, quantity, participation, overUs, limit, least }: PovTerms): Reference {
  let printed = 0;
  let endUs = 0;
  let current: Child | undefined;
  const retry = new Retry();
  return {
    act: (desk, news) => {
      if (news.kind === 'start') {
        endUs = desk.nowUs + overUs;
        desk.wake(endUs);
      }
      if (news.kind === 'market' && news.step.print !== null) printed += news.step.print.quantity;
      const filled = desk.filled(side);
      if (filled === quantity) {
        desk.end('done');
        return;
      }
      if (current?.isOpen === true) return;
      if (desk.nowUs >= endUs) {
        desk.end('failed');
        return;
      }
      const { bid, ask } = desk.touch();
      if (limit !== undefined && (side === 'buy' ? ask > limit : bid < limit)) return;
      const due = Math.min(quantity, Math.floor(printed * participation + 1e-7)) - filled;
      if (due < least || !retry.mayGo(desk, current, filled)) return;
      current = desk.send({ side, price: limit ?? null, quantity: due });
    },
  };
}
