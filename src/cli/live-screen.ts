/**
 * The live screen of `paper` and `run` on a terminal: a pure function from a snapshot to lines, and the loop that shows
 * it. On a pipe there is no screen; the session's log and its last document say the same.
 */
import { createLogUpdate } from 'log-update';
import type { Clock } from '../model/ports.ts';
import type { SessionSnapshot, StrategyState, StreamState } from '../session/snapshot.ts';
import { printable } from './printable.ts';
import { table, type Colour } from './table.ts';

type Paint = (colour: Colour, text: string) => string;

const REFRESH_MS = 250;
const ORDERS_SHOWN = 8;

function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

function ageText(ageMs: number | null): string {
  if (ageMs === null) return 'no data yet';
  return ageMs < 1000 ? `${Math.max(0, Math.round(ageMs))} ms` : `${(ageMs / 1000).toFixed(1)} s`;
}

function streamText(paint: Paint, { name, ageMs, state }: StreamState): string {
  const colour = state === 'fresh' ? 'green' : state === 'down' ? 'red' : 'yellow';
  return `${paint(colour, '●')} ${name} ${paint('dim', ageText(ageMs))}`;
}

export function moneyText(value: number, digits = 2): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function gainText(paint: Paint, gain: number): string {
  return paint(gain < 0 ? 'red' : 'green', `${gain < 0 ? '' : '+'}${moneyText(gain)}`);
}

/** Own trading first. What the holdings of the account did is nobody's skill: grey. */
function profitText(paint: Paint, { equity, netPnl, heldDrift, accountPnl, currency }: SessionSnapshot): string {
  if (equity === null) return paint('dim', 'waiting for prices');
  const made = netPnl === null ? 'cannot be valued' : gainText(paint, netPnl);
  const beside =
    heldDrift === null || accountPnl === null
      ? ''
      : `  holdings ${moneyText(heldDrift)}, account ${moneyText(accountPnl)}`;
  return `${made} ${currency}${paint('dim', `  equity ${moneyText(equity)}${beside}`)}`;
}

function bar(paint: Paint, used: number): string {
  const full = Math.round(Math.min(1, Math.max(0, used)) * 10);
  const text = `${'█'.repeat(full)}${'░'.repeat(10 - full)}`;
  return paint(used > 0.8 ? 'red' : used > 0.5 ? 'yellow' : 'green', text);
}

function strategyLines(paint: Paint, state: StrategyState): readonly string[] {
  const { tag, status, positions, openOrders, counters, error } = state;
  const held = positions
    .filter(({ quantity }) => quantity !== '0')
    .map(({ symbol, quantity }) => `${quantity} ${symbol}`);
  const { submitted, filled, canceled, denied, rejected } = counters;
  const lines = [
    `${paint('bold', tag)}  ${status === 'running' ? paint('green', status) : paint('yellow', status)}  position ${held.join(', ') || 'flat'}`,
    paint(
      'dim',
      `orders: ${submitted} sent, ${filled} filled, ${canceled} canceled, ${denied} denied, ${rejected} refused`,
    ),
  ];
  if (error !== null) lines.push(paint('red', error));
  const rows = openOrders
    .slice(0, ORDERS_SHOWN)
    .map(({ side, symbol, quantity, filledQuantity, price, state: order, ref }) => [
      paint(side === 'buy' ? 'green' : 'red', side),
      symbol,
      filledQuantity === '0' ? quantity : `${filledQuantity}/${quantity}`,
      price ?? 'market',
      order,
      paint('dim', ref),
    ]);
  if (rows.length > 0) lines.push(table(rows, { right: [2, 3] }));
  if (openOrders.length > ORDERS_SHOWN) lines.push(paint('dim', `and ${openOrders.length - ORDERS_SHOWN} more`));
  return lines;
}

/** The whole screen. */
export function screenText(snapshot: SessionSnapshot, paint: Paint): string {
  const {
    mode,
    id,
    exchange,
    now,
    startedAt,
    endsAt,
    tops,
    streams,
    strategies,
    closedGates,
    unknown,
    risk,
    messages,
  } = snapshot;
  const left = endsAt === null ? '' : paint('dim', `  ${clockText(endsAt - now)} left`);
  const lines = [
    `${paint('bold', `tidewire ${mode}`)}  ${exchange}  ${clockText(now - startedAt)}${left}`,
    paint('dim', id),
    '',
    tops
      .map(({ symbol, bid, ask }) => `${paint('bold', symbol)}  ${paint('green', bid)} / ${paint('red', ask)}`)
      .join('   '),
    streams.map((stream) => streamText(paint, stream)).join('   '),
    '',
    `net P&L  ${profitText(paint, snapshot)}    fills ${snapshot.fills}${unknown === 0 ? '' : paint('red', `    ${unknown} orders unknown`)}`,
    risk.map(({ name, used }) => `${name} ${bar(paint, used)} ${(used * 100).toFixed(0)}%`).join('   '),
    '',
    ...strategies.flatMap((strategy) => [...strategyLines(paint, strategy), '']),
    ...closedGates.map((reason) => paint('yellow', `no new orders: ${reason}`)),
    ...messages.map((message) => paint('dim', message)),
    paint('dim', 'Ctrl-C stops and carries out the stop policy.'),
  ];
  return lines.join('\n');
}

export interface LiveScreen {
  /** Leaves the last screen standing. */
  stop(): void;
}

export function startLiveScreen(clock: Clock, snapshot: () => SessionSnapshot, paint: Paint): LiveScreen {
  const draw = createLogUpdate(process.stdout, { showCursor: false });
  const show = (): void => {
    // Nobody reads: the next draw is as good as this one. The cursor is hidden through stderr.
    if (process.stdout.writableLength > 0 || process.stderr.writableLength > 0) return;
    draw(printable(screenText(snapshot(), paint)));
  };
  const cancel = clock.every(REFRESH_MS, show);
  show();
  return {
    stop: () => {
      cancel();
      show();
      draw.done();
    },
  };
}
