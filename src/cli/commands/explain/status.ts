/** `tidewire status`: sessions and their journals, also while running. */
import { basename, resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand } from '../../command.ts';
import { configParts } from '../../config-option.ts';
import { programTable } from '../../sessions/program-lines.ts';
import { colouring, table } from '../../terminal/table.ts';
import { readAddress } from '../../../bridge/thread/address-file.ts';
import { journalErrors } from '../../../journal/errors.ts';
import { isLocked } from '../../../journal/files/lock.ts';
import { journalDoubt } from '../../../journal/verify.ts';
import { isTidewireError, type TidewireError } from '../../../model/errors.ts';
import { worthText } from '../../../model/text/money-text.ts';
import { offersText } from '../../../session/emergency/standing-offers.ts';
import { sessionFigures, type SessionFigures } from '../../../session/result/session-figures.ts';
import { sessionState, type SessionState } from '../../../session/upkeep/session-state.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';
import { findSession, listSessions, type SessionFolder } from '../../../session/store/store.ts';

interface Options {
  readonly config?: string;
  readonly all?: boolean;
}

const SHOWN = 10;
const PROGRAMS_SHOWN = 20;

type Paint = ReturnType<typeof colouring>;

/** An unreadable journal still has a row. */
type Figures = Omit<SessionFigures, 'strategyFills' | 'prices' | 'account'>;
type Row = (SessionState & Figures & Served & Doubted) | Unread;

interface Served {
  /** Without its token, which lies in the session's folder; null: none is served. */
  readonly dashboard: { readonly url: string } | null;
}

interface Doubted {
  /** Why rows of its journal are known to be lost: the other figures are those of the rows that are left. */
  readonly lost: string | null;
}

interface Unread extends Pick<SessionState, 'id' | 'path'> {
  /** Null where `session.json` is unreadable. */
  readonly mode: SessionState['mode'] | null;
  readonly state: 'unreadable';
  /** Null when not running or unknown. */
  readonly pid: number | null;
  readonly error: string;
}

function stateOf(folder: SessionFolder, currency: string, failed: (error: TidewireError) => void): Row {
  try {
    const state = sessionState(folder);
    const address = state.running ? readAddress(folder) : null;
    const dashboard = address === null ? null : { url: address.url };
    const { strategyFills: _, prices: __, account: ___, ...figures } = sessionFigures(folder, currency, state.running);
    const doubt = journalDoubt(folder.path);
    if (doubt?.kind !== 'rewound') return { ...state, ...figures, dashboard, lost: null };
    failed(journalErrors.make('journal_rewound', doubt.message));
    return { ...state, ...figures, netPnl: null, dashboard, lost: doubt.message };
  } catch (thrown) {
    if (!isTidewireError(thrown)) throw thrown;
    failed(thrown);
    const { path, record } = folder;
    const pid = isLocked(path) === true ? record.pid : null;
    return { id: record.id, mode: record.mode, path, state: 'unreadable', pid, error: errorText(thrown) };
  }
}

function errorText({ code, message }: TidewireError): string {
  return `${code}: ${message}`;
}

/** Those whose `session.json` is unreadable come last. */
function allUnder(root: string): readonly [folders: readonly SessionFolder[], unread: readonly Unread[]] {
  const unread: Unread[] = [];
  const folders = listSessions(root, (path, thrown) => {
    if (!isTidewireError(thrown)) throw thrown;
    unread.push({ id: basename(path), mode: null, path, state: 'unreadable', pid: null, error: errorText(thrown) });
  });
  return [folders, unread];
}

/** `11-23 20:01:09`, UTC. */
function momentText(ms: number): string {
  return new Date(ms).toISOString().slice(5, 19).replace('T', ' ');
}

/** Prices of a running session are younger. */
const OLD_MS = 10_000;

function pnlText({ fills, netPnl, currency, pricedAt, lost }: Extract<Row, Figures>, paint: Paint): string {
  if (lost !== null) return 'P&L unknown';
  if (fills === 0) return 'did not trade';
  if (netPnl === null) return 'no price';
  const isOld = pricedAt !== null && systemClock.now() - pricedAt > OLD_MS;
  const of = isOld ? paint('yellow', ` at prices of ${momentText(pricedAt)}`) : '';
  return `${paint(netPnl < 0 ? 'red' : 'green', `${netPnl < 0 ? '' : '+'}${worthText(netPnl)}`)} ${currency}${of}`;
}

/** `11-23 20:01 to 21:15, 2 legs`, UTC. */
function timesText({ from, to, running, legs }: Extract<Row, Figures>): string {
  const text = (ms: number, cut: number): string => new Date(ms).toISOString().slice(cut, 16).replace('T', ' ');
  const sameDay = text(from, 0).slice(0, 10) === text(to, 0).slice(0, 10);
  const until = running ? 'now' : text(to, sameDay ? 11 : 5);
  return `${text(from, 5)} to ${until}${legs.length > 1 ? `, ${legs.length} legs` : ''}`;
}

/** Yellow: the next start resumes it. */
function lifeOf({ running, killed, state }: Extract<Row, Figures>, paint: Paint): string {
  if (state === 'killed') return paint('red', `${running ? 'running, ' : ''}killed: ${killed}`);
  if (state === 'ended') return state;
  return paint(running ? 'green' : 'yellow', state);
}

/** Without a process its journal knows nothing of what was cancelled since; a paper session's exchange stands still. */
function openText({ openOrders, running, mode, to }: Extract<Row, Figures>): string {
  const isOld = mode === 'live' && !running && openOrders.length > 0;
  return `${openOrders.length} open${isOld ? ` as of ${momentText(to)}` : ''}`;
}

function lineOf(row: Row, paint: Paint): readonly string[] {
  if ('error' in row) return [row.id, paint('red', row.error)];
  const life = lifeOf(row, paint);
  const owners = new Set(row.positions.map(({ tag }) => tag));
  const held = row.positions
    .map(({ quantity, symbol, tag }) => `${quantity} ${symbol}${owners.size > 1 ? ` of ${tag}` : ''}`)
    .join(', ');
  const lost = row.lost === null ? '' : paint('red', ' rows lost');
  const restored = row.restored === null ? '' : paint('red', ' restored or without its end, not acknowledged');
  const trials = row.trials.map(({ strategy }) => paint('yellow', ` ${strategy} on trial`)).join('');
  const latched = Object.keys(row.latches).map((tag) => paint('red', ` ${tag} latched`));
  const paused = Object.keys(row.pauses).map((tag) => paint('yellow', ` ${tag} paused`));
  const stopped = Object.keys(row.stopped).map((tag) => paint('red', ` ${tag} stopped by an error`));
  const halted = Object.keys(row.halts).map((symbol) => paint('red', ` ${symbol} halted`));
  const doubt = row.unresolved === 0 ? '' : paint('red', `, ${row.unresolved} unresolved`);
  return [
    row.id,
    `${life}${lost}${restored}${[...latched, ...paused, ...stopped, ...halted].join('')}${trials}`,
    `${openText(row)}${doubt}`,
    `${row.fills} fills`,
    pnlText(row, paint),
    timesText(row),
    held === '' ? (row.lost === null ? 'flat' : 'holdings unknown') : held,
  ];
}

/** Its programs at work, strategies that threw, and what it holds without an exit. `isNamed`: among several sessions. */
function programsText(
  { id, mode, running, programs, stopped, unprotected, panicked, p2p }: Exclude<Row, Unread>,
  isNamed: boolean,
  paint: Paint,
): readonly string[] {
  const threw = Object.values(stopped);
  const offers = running || mode !== 'live' ? null : offersText(p2p);
  if (programs.length + threw.length + unprotected.length + panicked.length === 0 && offers === null) return [];
  const more = programs.length - PROGRAMS_SHOWN;
  return [
    [
      ...(isNamed ? [id] : []),
      ...(programs.length === 0 ? [] : [programTable(programs.slice(0, PROGRAMS_SHOWN), paint)]),
      ...(more > 0 ? [`and ${more} more: npx tidewire programs --session ${id}`] : []),
      ...threw.map((message) => paint('red', `STOPPED: ${message}`)),
      ...unprotected.map(({ strategy, symbol, quantity }) =>
        paint('red', `UNPROTECTED: ${quantity} of ${symbol} of ${strategy} have no exit`),
      ),
      ...panicked.map(({ strategy, symbol, quantity }) =>
        paint('yellow', `a panic traded ${quantity} ${symbol} of ${strategy} since: run npx tidewire reconcile ${id}`),
      ),
      ...(offers === null ? [] : [paint('yellow', offers)]),
    ].join('\n'),
  ];
}

function lostText(rows: readonly Exclude<Row, Unread>[], paint: Paint): readonly string[] {
  return rows.flatMap(({ id, lost }) =>
    lost === null
      ? []
      : [
          paint(
            'red',
            `LOST: ${lost}. Orders, fills and holdings are those of the rows that are left: npx tidewire plan ${id}`,
          ),
        ],
  );
}

/** Folders of one session: its trades happened once. */
function copiesText(rows: readonly Exclude<Row, Unread>[], paint: Paint): readonly string[] {
  return [...Map.groupBy(rows, ({ origin }) => origin).values()].flatMap((same) =>
    same.length === 1
      ? []
      : [
          paint(
            'red',
            `TWICE: ${same.map(({ path }) => path).join(' and ')} hold the same session, whose trades happened once: move all but one away`,
          ),
        ],
  );
}

export const build: BuildCommand = (io) =>
  new Command('status')
    .description('Show sessions and what stands in their journals.')
    .argument('[session]', 'one session, by id or folder')
    .option('--all', 'all sessions, not only the newest')
    .option('--config <FILE>', 'configuration file')
    .addHelpText(
      'after',
      '\nWith --json each session has `state`: running, killed (its kill switch is on; `pid` says whether it runs), crashed\n(the next start continues it), left (it ended in order and left orders, a position, a latch, a pause\nor a halt, of paper a pause alone; the next start continues it), ended (in order; what a paper session holds ends with it), or unreadable.\nOf a live session that does not run, orders and positions are as its journal last knew them, at `to`: what was cancelled\nsince, by panic or at the end of a process that hung, is not in it. `plan` asks the exchange.\n`lost` says why rows of the journal are known to be lost (`journal_rewound`); the rest is of the rows that are left.\n\nExample:\n  npx tidewire status --json',
    )
    .action(
      action(io, async (wanted: string | undefined, options: Options) => {
        const config = configParts(io, options.config, ['journal', 'account']);
        const root = resolve(io.cwd, config.journal.dir);
        const [folders, unread] = wanted === undefined ? allUnder(root) : [[findSession(root, wanted)], []];
        const shown = folders.slice(0, options.all === true ? undefined : SHOWN);
        let exit = 0;
        const failed = (error: TidewireError): void => void (exit = wanted === undefined ? 0 : error.exit);
        const rows = [...shown.map((folder) => stateOf(folder, config.account.reporting, failed)), ...unread];
        const paint = colouring(io.isTty, io.env);
        const text = rows.length === 0 ? `no sessions under ${root}` : table(rows.map((row) => lineOf(row, paint)));
        const orders = rows.flatMap((row) => ('error' in row || wanted === undefined ? [] : row.openOrders));
        const detail = orders.map(({ side, symbol, quantity, filledQuantity, price, state, ref }) => [
          side,
          symbol,
          `${filledQuantity}/${quantity}`,
          price ?? 'market',
          state,
          ref,
        ]);
        const seen = rows.filter((row): row is Exclude<Row, Unread> => !('error' in row));
        const programs = seen.flatMap((row) => programsText(row, seen.length > 1, paint));
        const lines =
          detail.length === 0
            ? text
            : `${text}\n\n${table(detail, { head: ['side', 'symbol', 'filled', 'price', 'state', 'ref'] })}`;
        return {
          json: { command: 'status', sessions: rows },
          text: [lines, ...programs, ...lostText(seen, paint), ...copiesText(seen, paint)].join('\n\n'),
          exit,
        };
      }),
    );
