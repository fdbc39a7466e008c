/** The life of an order program as lines, for `why`. */
import { dec, type Decimal, decimalText, ZERO } from '../../model/numbers/money.ts';
import type { ProgramChain, ProgramChild, ProgramStep } from './program-chain.ts';
import { durationText, timeText } from './order-text.ts';
import type { WhyProgram } from './why-order.ts';

const FIRST_SHOWN = 20;
const LAST_SHOWN = 40;
const CHILDREN_SHOWN = 40;

export function programText({ session, chain }: WhyProgram): string {
  const { steps, children } = chain;
  return [
    ...headLines(session, chain),
    '',
    'Parameters',
    ...parameterLines(chain),
    '',
    'What happened',
    ...stepLines(steps, chain.stepsLeftOut),
    '',
    'Its orders',
    ...(children.length === 0 ? ['  none'] : children.slice(0, CHILDREN_SHOWN).map(childText)),
    ...(children.length > CHILDREN_SHOWN ? [`  and ${children.length - CHILDREN_SHOWN} more; --json has all`] : []),
    '',
    ...(chain.program.state === 'working' ? ['At work', ...workLines(chain)] : ['What it left', ...leftLines(chain)]),
  ].join('\n');
}

function headLines(session: string, { program }: ProgramChain): readonly string[] {
  const { ref, kind, strategy, symbol, state, reason, quantity, filled, averagePrice, startedAt, endedAt } = program;
  const of = quantity === null ? '' : ` of ${quantity}`;
  const at = averagePrice === null ? '' : ` at ${averagePrice}`;
  const life = endedAt === null ? '' : `, after ${durationText(endedAt - startedAt)}`;
  return [
    `${ref} of ${strategy}: ${kind} in ${symbol}`,
    `  ${state}${reason === null ? '' : ` (${reason})`}${life}; ${filled}${of} filled${at}`,
    ...(program.waitsFor === null ? [] : [`  it waits for ${program.waitsFor}${nextText(program.next)}`]),
    `  session ${session}`,
  ];
}

function nextText({ trigger, at }: ProgramChain['program']['next']): string {
  return `${trigger === undefined ? '' : `; trigger ${trigger}`}${at === undefined ? '' : `; looks again at ${timeText(at)}`}`;
}

function parameterLines({ parameters, terms }: ProgramChain): readonly string[] {
  if (parameters === null || typeof parameters !== 'object' || Array.isArray(parameters))
    return [`  (ticks, lots, ms) ${JSON.stringify(terms)}`];
  return Object.entries(parameters)
    .filter(([name]) => name !== 'kind')
    .map(([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

function stepLines(steps: readonly ProgramStep[], leftOut: number): readonly string[] {
  const hidden = steps.length - FIRST_SHOWN - LAST_SHOWN;
  const shown = steps.map(
    ({ ts, afterMs, kind, text }) =>
      `  ${timeText(ts)}  ${`+${durationText(afterMs)}`.padStart(10)}  ${kind.padEnd(8)} ${text}`,
  );
  if (hidden <= 0) return shown;
  return [
    ...shown.slice(0, FIRST_SHOWN),
    `  … ${hidden + leftOut} more${leftOut === 0 ? '; --json has all' : ''}`,
    ...shown.slice(-LAST_SHOWN),
  ];
}

function childText({
  leg,
  ref,
  side,
  quantity,
  symbol,
  price,
  state,
  filled,
  averagePrice,
  reason,
}: ProgramChild): string {
  const done = filled === '0' ? '' : `, ${filled} filled${averagePrice === null ? '' : ` at ${averagePrice}`}`;
  return `  ${leg.padEnd(12)} ${ref}: ${side} ${quantity} ${symbol} ${price === null ? 'at market' : `at ${price}`}, ${state}${done}${reason === null ? '' : ` (${reason})`}`;
}

/** A program that has not ended leaves nothing yet: what its orders have moved so far. */
function workLines({ program, children }: ProgramChain): readonly string[] {
  const moved = new Map<string, Decimal>();
  for (const { symbol, side, filled } of children)
    moved.set(symbol, (moved.get(symbol) ?? ZERO).plus(side === 'buy' ? filled : dec(filled).neg()));
  const nets = [...moved].filter(([, net]) => !net.isZero());
  return [
    `  it has not ended${program.waitsFor === null ? '' : `: it waits for ${program.waitsFor}`}`,
    ...nets.map(([symbol, net]) => {
      const done = net.isNegative() ? 'sold' : 'bought';
      return `  its orders ${done} ${decimalText(net.abs())} of ${symbol} so far, net`;
    }),
  ];
}

function leftLines({ program, left }: ProgramChain): readonly string[] {
  const isUnfilled = left.quantity !== null && left.quantity !== '0';
  const lines = [
    ...(isUnfilled ? [`  ${left.quantity} of ${program.symbol} not filled`] : []),
    ...(left.unprotected === null
      ? []
      : [`  UNPROTECTED: ${left.unprotected.quantity} of ${left.unprotected.symbol} without an exit`]),
  ];
  return lines.length === 0 ? ['  nothing'] : lines;
}
