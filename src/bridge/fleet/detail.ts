/** A session as the API shows it: what the journal says, and what the session adds while it runs. Pure. */
import { limitsUsed, worthBy } from '../../operations/limits-used.ts';
import type { LossesOfDay } from '../../session/store/losses-file.ts';
import { Prices } from '../../session/recorder/prices.ts';
import type { SessionFigures } from '../../session/result/session-figures.ts';
import type { SessionWord } from '../../session/view/session-word.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { unprotectedIn } from '../../session/upkeep/session-state.ts';
import { strategyPnl } from '../../session/recorder/strategy-pnl.ts';
import { overridable } from '../../risk/limit-book.ts';
import type { LivePart } from '../live/live-part.ts';
import type { Replica } from '../replica/replica.ts';
import type { GateRow, SessionDetail, SessionSummary, StrategyStateWord } from '../schemas/session.ts';
import { pointsOf, sparkOf, type EquityHistory } from './equity-history.ts';
import { liveMoney } from './live-money.ts';
import { ordersOf, positionsOf, programsOf } from './rows.ts';

export interface Sources {
  readonly folder: SessionFolder;
  readonly word: SessionWord;
  readonly running: boolean;
  /** Of an unheeded kill file too. */
  readonly killed: string | null;
  readonly replica: Replica | null;
  readonly live: LivePart | null;
  readonly history: EquityHistory;
  /** From the journal; null while it runs. */
  readonly figures: SessionFigures | null;
  /** Why its result cannot be read; null: it can, or there is none. */
  readonly unread: string | null;
  readonly losses: LossesOfDay | null;
  readonly currency: string;
  readonly commandable: boolean;
  /** It runs, and its process does not answer. */
  readonly isSilent: boolean;
}

export const SILENT: GateRow = {
  gate: 'process',
  symbol: '',
  reason: 'no_answer',
  message: 'the process of the session runs and does not answer; what is shown is of its journal',
  since: null,
};

/** An order that just left gets its answer in a moment, unless no process is there to receive it. */
function isInDoubt(state: string, running: boolean): boolean {
  return state === 'unknown' || (state === 'sending' && !running);
}

export function summaryOf(sources: Sources): SessionSummary {
  const { folder, replica, live, figures, history, word, running, killed, currency, commandable } = sources;
  const { record } = folder;
  const money = live === null ? null : liveMoney(live, history);
  const state = replica?.replay.state;
  const orders = state?.orders.allLive().filter(({ progress }) => progress.state !== 'pending') ?? [];
  const inDoubt = orders.filter(({ progress }) => isInDoubt(progress.state, running)).length;
  const moving = state?.money.unresolved().filter(({ fate }) => isInDoubt(fate, running)).length ?? 0;
  return {
    id: record.id,
    mode: record.mode,
    state: word,
    running,
    pid: running ? record.pid : null,
    exchange: record.exchange,
    account: record.account,
    startedAt: record.startedAt,
    endedAt: running ? null : (record.endedAt ?? lastSign(sources)),
    strategies: record.strategies.map(({ tag }) => ({ tag, state: stateOf(sources, tag) })),
    currency,
    equity: money?.equity ?? history.points.at(-1)?.equity ?? figures?.account?.equity ?? null,
    netPnl: money?.netPnl ?? figures?.netPnl ?? null,
    heldDrift: money?.heldDrift ?? figures?.account?.heldDrift ?? null,
    today: money?.today ?? null,
    spark: sparkOf(history.points.length > 0 ? history.points : pointsOf(figures?.account ?? null)),
    positions: replica === null ? [] : positionsOf(replica.replay, live?.marks ?? figures?.prices ?? {}),
    openOrders: orders.length,
    fills: replica?.replay.fills ?? 0,
    unresolved: inDoubt + moving,
    killed,
    gates: running ? [...(sources.isSilent ? [SILENT] : []), ...(replica?.digest.gates ?? [])] : [],
    alarms: [...(replica?.digest.alarms ?? [])],
    commandable,
    error: sources.unread,
    seq: replica?.seq ?? 0,
  };
}

/** Prices are kept beside the journal, also of a time after its last entry. Null: it said nothing. */
function lastSign({ replica, figures }: Sources): number | null {
  const [valuedAt] = figures?.account?.points.at(-1) ?? [0];
  return Math.max(replica?.replay.state.lastTs ?? 0, valuedAt) || null;
}

function stateOf({ replica, running, live }: Sources, tag: string): StrategyStateWord {
  const state = replica?.replay.state;
  if (!running) return 'stopped';
  if (state?.latches.has(tag) === true) return 'latched';
  const status = live?.strategies.find((one) => one.tag === tag)?.status;
  if (status === 'failed' || status === 'stopped') return 'stopped';
  return state?.pauses.has(tag) === true ? 'paused' : 'running';
}

export function detailOf(sources: Sources): SessionDetail {
  const { folder, replica, live, figures } = sources;
  const { record, path } = folder;
  const state = replica?.replay.state;
  const now = live?.at ?? state?.lastTs ?? record.endedAt ?? record.startedAt;
  const fees = live === null ? figures?.fees : liveMoney(live, sources.history).fees;
  return {
    ...summaryOf(sources),
    now,
    endsAt: live?.endsAt ?? null,
    boots: record.boots,
    seed: record.seed,
    path,
    strategies: record.strategies.map((strategy) => strategyOf(sources, strategy)),
    symbols: symbolsOf(sources),
    orders: replica === null ? [] : ordersOf(replica.replay),
    programs: replica === null ? [] : programsOf(replica.replay),
    unprotected: replica === null ? [] : [...unprotectedIn(replica.replay)],
    balances: [...(live?.balances ?? [])],
    halts: Object.fromEntries(state?.halts ?? []),
    limits: limitsOf(sources, now),
    overrides: [...(state?.overrides.values() ?? [])].flatMap(({ limit, value, until, reason }) =>
      value === null || now >= until ? [] : [{ limit, value, until, reason }],
    ),
    streams: [...(live?.streams ?? [])],
    latency: replica?.digest.latencies.rows() ?? [],
    fees: fees ?? null,
    legs: [...(figures?.legs ?? [])],
    liveAt: live?.at ?? null,
  };
}

function strategyOf(
  sources: Sources,
  { tag, name, file, params }: SessionFolder['record']['strategies'][number],
): SessionDetail['strategies'][number] {
  const state = sources.replica?.replay.state;
  const live = sources.live?.strategies.find((one) => one.tag === tag);
  return {
    tag,
    state: stateOf(sources, tag),
    name,
    file,
    params,
    error: live?.error ?? null,
    paused: state?.pauses.get(tag) ?? null,
    latched: state?.latches.get(tag) ?? null,
    onTrial: state?.trials.open().some(({ strategy }) => strategy === tag) ?? false,
    netPnl: resultOf(sources, tag),
    fills: live?.fills ?? sources.figures?.strategyFills[tag] ?? 0,
    counters: { ...live?.counters },
    denials: [...(live?.denials ?? [])],
  };
}

function resultOf({ folder, replica, live, figures, history, currency }: Sources, tag: string): number | null {
  if (live !== null) return liveMoney(live, history).strategies.find((one) => one.tag === tag)?.netPnl ?? null;
  // Of the only strategy it is the session's, exact to the last unit.
  if (folder.record.strategies.length === 1) return figures?.netPnl ?? null;
  if (replica === null || figures === null) return null;
  const { instruments, state } = replica.replay;
  const prices = new Prices(instruments, currency);
  for (const [symbol, price] of Object.entries(figures.prices)) prices.replace(symbol, price);
  return strategyPnl(state.positions.all(), tag, prices);
}

function symbolsOf({ replica, live }: Sources): SessionDetail['symbols'] {
  const instruments = replica?.replay.instruments;
  const known = instruments?.all().map(({ symbol }) => symbol) ?? [];
  return [...new Set([...(live?.symbols ?? []), ...known])].flatMap((symbol) => {
    const instrument = instruments?.find(symbol);
    if (instrument === undefined) return [];
    const top = live?.tops.find((one) => one.symbol === symbol);
    const { market, base, quote, spec } = instrument;
    return [
      {
        symbol,
        market,
        base,
        quote,
        tickSize: spec.tickSize,
        lotSize: spec.lotSize,
        bid: top?.bid ?? null,
        ask: top?.ask ?? null,
        mid: top?.mid ?? null,
      },
    ];
  });
}

const PATHS: Readonly<Record<string, (name: string, of: string) => string>> = {
  account: (name) => `risk.${name}`,
  strategy: (name, of) => `strategies.${of}.${name}`,
  symbol: (name, of) => `risk.symbols.${of}.${name}`,
};

function pricesOf({ live, figures }: Sources): Readonly<Record<string, number>> {
  if (live === null) return figures?.prices ?? {};
  return Object.fromEntries(live.tops.map(({ symbol, mid }) => [symbol, mid]));
}

function limitsOf(sources: Sources, now: number): SessionDetail['limits'] {
  const { replica, currency, losses } = sources;
  if (replica === null) return [];
  const known = {
    now,
    reporting: currency,
    dayLoss: losses?.account ?? null,
    strategyLosses: losses?.strategies ?? {},
    worth: worthBy(replica.replay.instruments, currency, pricesOf(sources)),
  };
  return limitsUsed(replica.replay.state, known).map(({ scope, name, value, configured, used, share }) => {
    const kind = scope === 'account' ? 'account' : scope.startsWith('strategy ') ? 'strategy' : 'symbol';
    const path = PATHS[kind]!(name, scope.replace(/^strategy /, ''));
    const names: readonly string[] = overridable[kind];
    return { scope, name, path, value, configured, used, share, overridable: names.includes(name) };
  });
}
