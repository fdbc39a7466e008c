/** Live-screen lines of one strategy. */
import type { HeldPosition, SessionSnapshot, StrategyState } from '../../session/view/snapshot.ts';
import { moneyText } from '../../model/text/money-text.ts';
import { filledText, waitText } from './program-lines.ts';
import { table, type Colour } from '../terminal/table.ts';

export type Paint = (colour: Colour, text: string) => string;

const ORDERS_SHOWN = 6;
const PROGRAMS_SHOWN = 6;
const DENIALS_SHOWN = 3;

export function gainText(paint: Paint, gain: number): string {
  return paint(gain < 0 ? 'red' : 'green', `${gain < 0 ? '' : '+'}${moneyText(gain)}`);
}

function positionLine(paint: Paint, position: HeldPosition): string {
  const { symbol, quantity, entryPrice, realizedPnl, unrealizedPnl, quote } = position;
  const held =
    Number(quantity) === 0
      ? 'flat'
      : `${quantity} at ${entryPrice === null ? '-' : Number(entryPrice).toLocaleString('en-US', { maximumSignificantDigits: 9 })}`;
  const open = unrealizedPnl === null || Number(quantity) === 0 ? '' : `, unrealised ${gainText(paint, unrealizedPnl)}`;
  return `  ${symbol}  ${held}  realised ${gainText(paint, Number(realizedPnl))}${open} ${quote}`;
}

function fillLines(paint: Paint, { tally }: StrategyState): readonly string[] {
  return tally.newest.map(({ ts, side, quantity, symbol, price, liquidity }) => {
    const at = new Date(ts).toISOString().slice(11, 19);
    return paint(
      'dim',
      `  ${at} ${side === 'buy' ? 'bought' : 'sold'} ${quantity} ${symbol} at ${price}, ${liquidity}`,
    );
  });
}

function orderLines(paint: Paint, { openOrders }: StrategyState): readonly string[] {
  const rows = openOrders
    .slice(0, ORDERS_SHOWN)
    .map(({ side, symbol, quantity, filledQuantity, price, state }) => [
      paint(side === 'buy' ? 'green' : 'red', `  ${side}`),
      symbol,
      filledQuantity === '0' ? quantity : `${filledQuantity}/${quantity}`,
      price ?? 'market',
      state,
    ]);
  if (rows.length === 0) return [];
  const more = openOrders.length - ORDERS_SHOWN;
  return [...table(rows, { right: [2, 3] }).split('\n'), ...(more > 0 ? [paint('dim', `  and ${more} more`)] : [])];
}

function programLines(paint: Paint, { programs }: StrategyState): readonly string[] {
  const rows = programs
    .slice(0, PROGRAMS_SHOWN)
    .map((program) => [`  ${program.kind}`, program.ref, program.symbol, filledText(program), waitText(program)]);
  if (rows.length === 0) return [];
  const more = programs.length - PROGRAMS_SHOWN;
  return [...table(rows, { right: [3] }).split('\n'), ...(more > 0 ? [paint('dim', `  and ${more} more`)] : [])];
}

function unprotectedLines(paint: Paint, { unprotected }: StrategyState): readonly string[] {
  return unprotected.map(({ symbol, quantity }) =>
    paint('red', `  UNPROTECTED: ${quantity} of ${symbol} have no exit`),
  );
}

function statusText(paint: Paint, status: string, killed: string | null): string {
  if (killed !== null) return paint('red', 'killed');
  return status === 'running' ? paint('green', status) : paint('yellow', status);
}

export function strategyLines(
  paint: Paint,
  state: StrategyState,
  { killed, currency }: Pick<SessionSnapshot, 'killed' | 'currency'>,
): readonly string[] {
  const { tag, status, positions, counters, tally, netPnl, denials, error } = state;
  const { submitted, filled, canceled, denied, rejected } = counters;
  const pnl = netPnl === null || tally.fills === 0 ? '' : `${gainText(paint, netPnl)} in `;
  const reasons = denials
    .slice(0, DENIALS_SHOWN)
    .map(({ reason, count, last }) => paint('yellow', `  denied ${count} x ${reason}, last: ${last}`));
  return [
    `${paint('bold', tag)}  ${statusText(paint, status, killed)}  ${pnl}${tally.fills} fills, fees ${moneyText(tally.fees)} ${currency}`,
    ...(error === null ? [] : [paint('red', error)]),
    ...positions.map((position) => positionLine(paint, position)),
    ...unprotectedLines(paint, state),
    ...programLines(paint, state),
    ...fillLines(paint, state),
    ...reasons,
    paint(
      'dim',
      `  orders: ${submitted} sent, ${filled} filled, ${canceled} canceled, ${denied} denied, ${rejected} refused`,
    ),
    ...orderLines(paint, state),
  ];
}
