/** `tidewire top` as lines for a terminal of any size. Pure. */
import type { SessionDetail, SessionSummary } from '../../bridge/schemas/session.ts';
import { clip } from '../terminal/clip.ts';
import { printable } from '../terminal/printable.ts';
import { gapsText } from '../sessions/live-screen.ts';
import { moneyText } from '../../model/text/money-text.ts';
import { gainText, type Paint } from '../sessions/strategy-lines.ts';
import { beside, grid } from './columns.ts';
import { ladderLines } from './ladder.ts';
import type { TopModel } from './model.ts';

const WIDE = 110;
const LADDER_COLUMNS = 44;
const LEVELS_NARROW = 3;
const SPARKS = '▁▂▃▄▅▆▇█';
const SPARK_POINTS = 40;
const NAME_MAX = 24;

const HELP = [
  '↑ ↓ or k j   another session',
  'Tab          another symbol of the ladder',
  '?            this help',
  'q            leave',
  '',
  'It reads only. Commands: npx tidewire pause, resume, cancel-all, panic, or the dashboard.',
];

/** At most `rows` lines of at most `columns`. */
export function topLines(model: TopModel, paint: Paint, columns: number, rows: number): readonly string[] {
  const head = titleLine(model, paint);
  const shown = model.showsHelp ? HELP : bodyLines(model, paint, columns, rows - 2);
  const lines = [head, '', ...shown].map((line) => clip(printable(line).replaceAll(/[\t\r\n]/g, ' '), columns));
  return lines.slice(0, rows);
}

function titleLine({ now, sessions }: TopModel, paint: Paint): string {
  const running = sessions?.filter((one) => one.running).length;
  const many = sessions === null ? '' : `  ${running} running, ${sessions.length} in all`;
  const clock = new Date(now).toISOString().slice(11, 19);
  return `${paint('bold', 'tidewire top')}${many}  ${paint('dim', `${clock} UTC  ? help  q leave`)}`;
}

function bodyLines(
  { sessions, chosen, detail, book, root }: TopModel,
  paint: Paint,
  columns: number,
  rows: number,
): readonly string[] {
  if (sessions === null) return [paint('dim', 'reading …')];
  if (sessions.length === 0)
    return [`no sessions under ${root}`, paint('dim', 'begin one: npx tidewire paper strategies/spread-maker.ts')];
  const isWide = columns >= WIDE;
  const listed = Math.max(1, Math.min(sessions.length, Math.floor(rows / 4)));
  const list = sessionLines(sessions, chosen, paint, listed);
  if (detail === null) return [...list, '', paint('dim', 'reading …')];
  const left = rows - list.length - 1;
  const about = detailLines(detail, paint);
  const levels = isWide ? Math.max(1, Math.floor((left - 1) / 2)) : LEVELS_NARROW;
  const ladder = book === null ? [paint('dim', noBook(detail))] : ladderLines(paint, book, detail.orders, levels);
  if (isWide) return [...list, '', ...beside(about, ladder, columns, LADDER_COLUMNS)];
  const room = left - ladder.length - 1;
  return [...list, '', ...about.slice(0, Math.max(room, 1)), '', ...ladder];
}

function noBook({ running, commandable }: SessionDetail): string {
  if (!running) return 'it does not run';
  return commandable ? 'no book yet' : 'a ladder needs a session with --dashboard';
}

/** A window of the list that holds the chosen one. */
function sessionLines(
  sessions: readonly SessionSummary[],
  chosen: string | null,
  paint: Paint,
  most: number,
): readonly string[] {
  const at = Math.max(
    0,
    sessions.findIndex(({ id }) => id === chosen),
  );
  const from = Math.max(0, Math.min(at - Math.floor(most / 2), sessions.length - most));
  const rows = sessions
    .slice(from, from + most)
    .map((one) => [
      one.id === chosen ? paint('bold', '>') : ' ',
      one.mode === 'live' ? paint('red', 'LIVE') : 'paper',
      clip(one.strategies.map(({ tag }) => tag).join(' + '), NAME_MAX),
      paint('dim', timeText(one.startedAt)),
      stateText(one, paint),
      one.netPnl === null ? paint('dim', '-') : gainText(paint, one.netPnl),
      `${one.openOrders} open`,
      `${one.fills} fills`,
      one.gates.length === 0 ? '' : paint('yellow', `${one.gates.length} gates`),
    ]);
  const more = sessions.length - from - rows.length;
  return [...grid(rows, [5, 6, 7]), ...(more > 0 ? [paint('dim', `  and ${more} older`)] : [])];
}

/** `11-28 03:36`, UTC. */
function timeText(ms: number): string {
  return new Date(ms).toISOString().slice(5, 16).replace('T', ' ');
}

function stateText({ state, unresolved }: SessionSummary, paint: Paint): string {
  const colour = state === 'running' ? 'green' : state === 'ended' ? 'dim' : state === 'left' ? 'yellow' : 'red';
  return `${paint(colour, state)}${unresolved === 0 ? '' : paint('red', ` ${unresolved} unknown`)}`;
}

function detailLines(detail: SessionDetail, paint: Paint): readonly string[] {
  const { killed, equity, currency, netPnl, heldDrift, spark, strategies, gates, unprotected, halts, alarms } = detail;
  const drift = heldDrift === null ? '' : paint('dim', `  drift of holdings ${moneyText(heldDrift)}`);
  return [
    ...(killed === null ? [] : [paint('red', `KILLED: ${killed}`)]),
    `equity  ${equity === null ? '-' : moneyText(equity)} ${currency}  ${sparkText(spark)}`,
    `result  ${netPnl === null ? '-' : gainText(paint, netPnl)}${drift}`,
    ...strategies.map(({ tag, state, error, netPnl: own, fills }) => {
      const colour = state === 'running' ? 'green' : state === 'latched' ? 'red' : 'yellow';
      const made = own === null || fills === 0 ? '' : `  ${gainText(paint, own)} in ${fills} fills`;
      return `${paint(colour, '●')} ${tag} ${state}${made}${error === null ? '' : paint('red', ` ${error}`)}`;
    }),
    ...gates.map(({ symbol, message }) =>
      paint('yellow', `no new risk${symbol === '' ? '' : ` in ${symbol}`}: ${message}`),
    ),
    ...Object.entries(halts).map(([symbol, reason]) => paint('red', `${symbol} halted: ${reason}`)),
    ...unprotected.map(({ quantity, symbol }) => paint('red', `UNPROTECTED: ${quantity} ${symbol} have no exit`)),
    ...streamLines(detail, paint),
    ...section('positions', positionRows(detail, paint), paint, [1, 3]),
    ...section('programs', programRows(detail), paint),
    ...section('orders', orderRows(detail, paint), paint, [3, 4]),
    ...section(
      'alarms',
      alarms
        .slice(-3)
        .toReversed()
        .map(({ ts, code, message }) => [new Date(ts).toISOString().slice(11, 19), code, message]),
      paint,
    ),
  ];
}

/** Those that are not as they should be. */
function streamLines({ streams }: SessionDetail, paint: Paint): readonly string[] {
  return streams
    .filter(({ state, gaps }) => gaps > 0 || state === 'stale' || state === 'down')
    .map(({ name, state, gaps }) => paint('yellow', `${name} ${state}${gaps === 0 ? '' : `, ${gapsText(gaps)}`}`));
}

function section(
  title: string,
  rows: readonly (readonly string[])[],
  paint: Paint,
  right: readonly number[] = [],
): readonly string[] {
  return rows.length === 0 ? [] : [paint('dim', title), ...grid(rows, right).map((line) => `  ${line}`)];
}

function positionRows({ positions }: SessionDetail, paint: Paint): readonly (readonly string[])[] {
  return positions.map(({ symbol, quantity, entryPrice, unrealizedPnl, quote, strategy }) => [
    symbol,
    quantity,
    entryPrice === null ? '' : `at ${+Number(entryPrice).toPrecision(9)}`,
    unrealizedPnl === null ? '' : `${gainText(paint, unrealizedPnl)} ${quote}`,
    strategy,
  ]);
}

function programRows({ programs }: SessionDetail): readonly (readonly string[])[] {
  return programs.map(({ kind, ref, symbol, filled, quantity, waitsFor }) => [
    kind,
    ref,
    symbol,
    quantity === null ? filled : `${filled}/${quantity}`,
    waitsFor ?? '',
  ]);
}

function orderRows({ orders }: SessionDetail, paint: Paint): readonly (readonly string[])[] {
  return orders.map(({ ref, side, symbol, quantity, price, state }) => [
    ref,
    paint(side === 'buy' ? 'green' : 'red', side),
    symbol,
    quantity,
    price ?? 'market',
    state === 'unknown' ? paint('red', state) : state,
  ]);
}

function sparkText(spark: readonly number[]): string {
  const points = spark.slice(-SPARK_POINTS);
  const [low, high] = [Math.min(...points), Math.max(...points)];
  if (points.length < 2 || high === low) return '';
  return points.map((value) => SPARKS[Math.round(((value - low) / (high - low)) * (SPARKS.length - 1))]).join('');
}
