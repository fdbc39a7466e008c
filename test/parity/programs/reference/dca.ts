/** `dca`: levels rest against the price at the start; one exit on the average price for all that is held. */
import type { Child, Reference, Side } from '../desk.ts';
import { awayBy, fires, priceOf, type Source } from './trigger.ts';

export interface DcaTerms {
  readonly side: Side;
  readonly levels: readonly { readonly bps: number; readonly quantity: number }[];
  /** Lots of the least order at a price. */
  readonly least: (price: number) => number;
  readonly takeProfitBps: number;
  readonly stopLossBps?: number;
  readonly by?: Source;
}

export function dca({ side, levels, least, takeProfitBps, stopLossBps, by }: DcaTerms): Reference {
  const exit: Side = side === 'buy' ? 'sell' : 'buy';
  const isLong = side === 'buy';
  let rests: readonly Child[] = [];
  let profit: Child | undefined;
  let hasFired = false;
  return {
    isEntry: (leg) => leg.startsWith('level:'),
    act: (desk, news) => {
      if (news.kind === 'start') {
        const { bid, ask } = desk.touch();
        const start = isLong ? ask : bid;
        rests = levels.map(({ bps, quantity }, index) =>
          desk.send({ leg: `level:${index + 1}`, side, price: awayBy(start, bps, !isLong), quantity }),
        );
      }
      const held = desk.filled(side) - desk.filled(exit);
      const value = rests.reduce((sum, child) => sum + child.value, 0);
      const average = value / desk.filled(side);
      if (desk.filled(side) === 0) return;
      if (held === 0) {
        for (const child of desk.open()) desk.cancel(child);
        if (desk.open().length === 0) desk.end('done', hasFired ? 'stopLoss' : 'takeProfit');
        return;
      }
      const price = priceOf(desk, exit, by);
      if (stopLossBps !== undefined && price !== null && fires(exit, price, awayBy(average, stopLossBps, !isLong)))
        hasFired = true;
      if (hasFired) {
        for (const child of desk.open()) if (child.wish.price !== null) desk.cancel(child);
        if (held < least(average)) {
          if (desk.open().length === 0) desk.end('failed');
        } else if (desk.open().every(({ wish }) => wish.side === side))
          desk.send({ leg: 'stopLoss', side: exit, price: null, quantity: held });
        return;
      }
      if (profit?.isOpen === true) {
        if (profit.wish.quantity - profit.filled !== held) desk.cancel(profit);
        return;
      }
      // Too little for an order waits for more, while more may come.
      if (held < least(average)) {
        if (desk.filled(exit) > 0 || rests.every(({ isOpen }) => !isOpen)) {
          for (const child of desk.open()) desk.cancel(child);
          if (desk.open().length === 0) desk.end('failed');
        }
        return;
      }
      profit = desk.send({
        leg: 'takeProfit',
        side: exit,
        price: awayBy(average, takeProfitBps, isLong),
        quantity: held,
      });
    },
  };
}
