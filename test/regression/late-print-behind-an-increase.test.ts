/**
 * Rule M6: a print within the netting window after a decrease explains it, whatever the level did in between. Any increase
 * made the venue forget the decrease, so that both the decrease and its print moved an own order forward; and a second
 * decrease kept the first explainable for longer than the window. Found by the parity runs on real frames.
 */
import { expect, it } from 'vitest';
import { buy, depth, matching, prob, snapshot, trade } from '../simulation/market.ts';

const NETTING_US = 100_000;

/** An order behind 10 others; 10 more come behind it. */
function waiting() {
  const { engine } = matching({ queue: prob, nettingUs: NETTING_US });
  engine.onMarket(snapshot({ 100: 10 }, { 101: 5 }));
  const order = buy('a', 100, 5);
  engine.submit(order, 0);
  engine.onMarket(depth({ 100: 20 }, {}, { exchangeUs: 1000 }));
  return {
    order,
    shows: (lots: number, us: number) => engine.onMarket(depth({ 100: lots }, {}, { exchangeUs: us })),
    prints: (lots: number, us: number) => engine.onMarket(trade('sell', 100, lots, { exchangeUs: us })),
  };
}

it('nets a decrease with its print although the level has grown in between', () => {
  const [late, inOrder] = [waiting(), waiting()];
  late.shows(14, 2000);
  late.shows(17, 3000);
  late.prints(6, 4000);
  inOrder.prints(6, 1500);
  inOrder.shows(14, 2000);
  inOrder.shows(17, 3000);
  expect(late.order.front).toBe(4);
  expect(late.order.front).toBe(inOrder.order.front);
});

it('lets one print explain two decreases within the window, the older first', () => {
  const [late, inOrder] = [waiting(), waiting()];
  late.shows(17, 2000);
  late.shows(13, 3000);
  late.prints(5, 4000);
  inOrder.prints(3, 1500);
  inOrder.shows(17, 2000);
  inOrder.prints(2, 2500);
  inOrder.shows(13, 3000);
  expect(late.order.front).toBeCloseTo(inOrder.order.front, 2);
  expect(late.order.front).toBeLessThan(5.1);
});

it('no longer explains a decrease that is older than the window, whatever came after it', () => {
  const [both, second] = [waiting(), waiting()];
  both.shows(15, 2000);
  both.shows(14, 2000 + NETTING_US);
  const front = both.order.front;
  both.prints(4, 3000 + NETTING_US);
  // One of the four explains the second decrease; the other three are ahead of what is left.
  expect(both.order.front).toBeGreaterThan(front - 4);
  expect(both.order.front).toBeLessThan(front - 3);
  second.shows(15, 2000);
  second.prints(4, 2001 + NETTING_US);
  expect(second.order.front).toBeLessThan(6);
});
