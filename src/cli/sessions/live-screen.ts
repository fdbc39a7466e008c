/** The live screen of `paper` and `run`: a pure function from a snapshot to lines, and its loop. Terminals only. */
import { createLogUpdate } from 'log-update';
import type { Clock } from '../../model/ports.ts';
import { clearKillCommand } from '../../session/controls/lifting-commands.ts';
import type { SessionSnapshot, StreamState } from '../../session/view/snapshot.ts';
import { clip } from '../terminal/clip.ts';
import { printable } from '../terminal/printable.ts';
import { moneyText } from '../../model/text/money-text.ts';
import { gainText, strategyLines, type Paint } from './strategy-lines.ts';
import { wrap, wrapCommand } from '../terminal/wrap.ts';

const REFRESH_MS = 250;
const COLUMNS = 80;
const ROWS = 24;

function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}`;
}

function ageText(ageMs: number | null): string {
  if (ageMs === null) return 'no data yet';
  return ageMs < 1000 ? `${Math.max(0, Math.round(ageMs))} ms` : `${(ageMs / 1000).toFixed(1)} s`;
}

export function gapsText(gaps: number): string {
  return gaps === 1 ? '1 gap' : `${gaps} gaps`;
}

function streamText(paint: Paint, { name, ageMs, state, gaps }: StreamState): string {
  const colour = state === 'fresh' ? 'green' : state === 'down' ? 'red' : 'yellow';
  const lost = gaps === 0 ? '' : ` ${paint('yellow', gapsText(gaps))}`;
  return `${paint(colour, '●')} ${name} ${paint('dim', ageText(ageMs))}${lost}`;
}

/** Own trading first; the drift of holdings in grey. */
function profitLines(paint: Paint, snapshot: SessionSnapshot): readonly string[] {
  const { netPnl, heldDrift, accountPnl, equity, currency, fills } = snapshot;
  if (equity === null) return [`own P&L  ${paint('dim', 'waiting for prices')}`];
  const own = netPnl === null ? paint('dim', 'no price') : `${gainText(paint, netPnl)} ${currency}`;
  const signed = (value: number | null): string =>
    value === null ? '-' : `${value < 0 ? '' : '+'}${moneyText(value)}`;
  const beside = `drift of holdings ${signed(heldDrift)}, account ${signed(accountPnl)}, equity ${moneyText(equity)}`;
  return [
    `${paint('bold', 'own P&L')}  ${own}  ${fills === 0 ? 'did not trade' : `${fills} fills`}`,
    paint('dim', beside),
  ];
}

function bar(paint: Paint, used: number): string {
  const full = Math.round(Math.min(1, Math.max(0, used)) * 10);
  const text = `${'█'.repeat(full)}${'░'.repeat(10 - full)}`;
  return paint(used > 0.8 ? 'red' : used > 0.5 ? 'yellow' : 'green', text);
}

/** A live session has a red name and shows its account. */
function titleLine(paint: Paint, { mode, exchange, account, now, startedAt, endsAt }: SessionSnapshot): string {
  const left = endsAt === null ? '' : paint('dim', `  ${clockText(endsAt - now)} left`);
  const name =
    mode === 'live' ? paint('red', `tidewire LIVE, real orders of ${account}`) : paint('bold', 'tidewire paper');
  return `${name}  ${clockText(now - startedAt)}${left}  ${paint('dim', exchange)}`;
}

const REASON_LINES = 3;

/** The command stands on its own lines, ready to copy. */
function killLines(paint: Paint, { killed, id }: SessionSnapshot, columns: number): readonly string[] {
  if (killed === null) return [];
  return [
    clip(`KILLED: ${killed}`, REASON_LINES * columns),
    'no order leaves; stop it, then:',
    ...wrapCommand(clearKillCommand(id), columns),
  ].map((line) => paint('red', line));
}

/** Lines may exceed the width, except those useless when wrapped. */
export function screenText(snapshot: SessionSnapshot, paint: Paint, columns = COLUMNS): string {
  const { tops, streams, strategies, closedGates, unknown, risk, messages } = snapshot;
  const lines = [
    titleLine(paint, snapshot),
    ...killLines(paint, snapshot, columns),
    ...profitLines(paint, snapshot),
    ...(unknown === 0 ? [] : [paint('red', `${unknown} orders of unknown outcome`)]),
    '',
    ...strategies.flatMap((strategy) => [...strategyLines(paint, strategy, snapshot), '']),
    tops
      .map(({ symbol, bid, ask }) => `${paint('bold', symbol)}  ${paint('green', bid)} / ${paint('red', ask)}`)
      .join('   '),
    ...closedGates.map((reason) => paint('yellow', `no new orders: ${reason}`)),
    risk.map(({ name, used }) => `${name} ${bar(paint, used)} ${(used * 100).toFixed(0)}%`).join('   '),
    streams.map((stream) => streamText(paint, stream)).join('   '),
    ...messages.map((message) => paint('dim', clip(message, columns))),
    paint('dim', `${snapshot.id}   Ctrl-C stops and carries out the stop policy.`),
  ];
  return lines.join('\n');
}

/** The part that fits, since a wrapped line would not be erased. */
export function fitted(text: string, columns: number, rows: number): string {
  const lines = printable(text).split('\n');
  return lines
    .flatMap((line) => wrap(line, columns))
    .slice(0, Math.max(1, rows - 1))
    .join('\n');
}

export interface LiveScreen {
  /** Leaves the last screen standing. */
  stop(): void;
}

export function startLiveScreen(clock: Clock, snapshot: () => SessionSnapshot, paint: Paint): LiveScreen {
  const { stdout, stderr } = process;
  const draw = createLogUpdate(stdout, { showCursor: false });
  const show = (): void => {
    // Skip a frame while output is blocked. The cursor is hidden through stderr.
    if (stdout.writableLength > 0 || stderr.writableLength > 0) return;
    const columns = stdout.columns ?? COLUMNS;
    draw(fitted(screenText(snapshot(), paint, columns), columns, stdout.rows ?? ROWS));
  };
  // After a resize all is drawn again from the top.
  const resized = (): void => {
    draw.clear();
    stdout.write('\u001b[2J\u001b[H');
    show();
  };
  stdout.on('resize', resized);
  const cancel = clock.every(REFRESH_MS, show);
  show();
  return {
    stop: () => {
      stdout.off('resize', resized);
      cancel();
      show();
      draw.done();
    },
  };
}
