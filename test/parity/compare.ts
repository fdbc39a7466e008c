/** Two plays of one script, order by order and fill by fill. */
import { Exact } from './reference-queue.ts';
import type { Driver } from './script.ts';
import type { Played, PlayedFill, PlayedOrder } from './rules.ts';

const EMPTY: PlayedOrder = { ref: '', state: 'rejected', filled: 0, fills: [] };

/** One sentence a difference; empty when the two agree. */
export function differences(expected: Played, actual: Played, driver: Driver): readonly string[] {
  const found: string[] = [];
  const theirs = new Map(actual.orders.map((order) => [order.ref, order] as const));
  for (const order of expected.orders) compareOrder(order, theirs.get(order.ref) ?? EMPTY, driver, found);
  const known = new Set(expected.orders.map(({ ref }) => ref));
  for (const { ref } of actual.orders) if (!known.has(ref)) found.push(`${ref}: unknown to the reference`);
  same('position', expected.position, actual.position, 0, found);
  if (driver === 'venue') {
    same('quote', expected.quote, actual.quote, 0, found);
    same('base', expected.base ?? '0', actual.base ?? '0', 0, found);
  }
  // A JS number in the result file: 1e8 with 53 bits.
  same('equity', expected.equity, actual.equity, 1e-6, found);
  return found;
}

function same(what: string, expected: string, actual: string, tolerance: number, found: string[]): void {
  if (new Exact(expected).minus(actual).abs().gt(tolerance)) found.push(`${what}: ${expected}, tidewire ${actual}`);
}

function compareOrder(expected: PlayedOrder, actual: PlayedOrder, driver: Driver, found: string[]): void {
  const { ref } = expected;
  if (expected.state !== actual.state) found.push(`${ref}: ${expected.state}, tidewire ${actual.state}`);
  if (expected.filled !== actual.filled) found.push(`${ref}: filled ${expected.filled}, tidewire ${actual.filled}`);
  const count = Math.max(expected.fills.length, actual.fills.length);
  for (let index = 0; index < count; index += 1) {
    const left = textOf(expected.fills[index], driver);
    const right = textOf(actual.fills[index], driver);
    if (left === right) continue;
    found.push(`${ref} fill ${index}: ${left}, tidewire ${right}`);
    return;
  }
}

function textOf(fill: PlayedFill | undefined, driver: Driver): string {
  if (fill === undefined) return 'none';
  const { us, price, quantity, fee, feeCurrency, liquidity } = fill;
  const at = driver === 'session' ? `${Math.floor(us / 1000)} ms` : `${us} us`;
  return `${at} ${price} x ${quantity} ${liquidity} fee ${new Exact(fee).toFixed()} ${feeCurrency}`;
}
