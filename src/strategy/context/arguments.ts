/** Checks what a strategy calls its context with. A wrong word or option would be taken for none. */
import { nearest } from '../../model/text/nearest.ts';
import type { PositionSide } from '../../model/trading/order.ts';
import { describe } from '../action-shape.ts';
import { strategyErrors } from '../errors.ts';

const SIDES: ReadonlySet<unknown> = new Set<PositionSide>(['both', 'long', 'short']);

function wrong(call: string, problem: string): Error {
  return strategyErrors.make('strategy_argument_invalid', `${call}: ${problem}`, { call });
}

export function checkPositionSide(call: string, side: unknown): void {
  if (side === undefined || SIDES.has(side)) return;
  throw wrong(call, `positionSide must be one of both, long, short, got ${describe(side)}`);
}

export function checkOptions(call: string, options: unknown, known: readonly string[]): void {
  if (options === undefined) return;
  const list = known.join(', ');
  if (typeof options !== 'object' || options === null)
    throw wrong(call, `options must be an object with ${list}, got ${describe(options)}`);
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue;
    const [near] = nearest(name, known);
    throw wrong(
      call,
      `there is no ${describe(name)}${near === undefined ? `, only ${list}` : `; did you mean ${near}?`}`,
    );
  }
}

export function checkBars(symbols: unknown): void {
  if (typeof symbols === 'object' && symbols !== null && Object.keys(symbols).length > 0) return;
  throw wrong('market.bars', `symbols must name at least one, such as { btc: 'BTCUSDT' }, got ${describe(symbols)}`);
}
