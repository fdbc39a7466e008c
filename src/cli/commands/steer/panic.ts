/**
 * `tidewire panic [--flatten]`: latches sessions, cancels all orders, with `--flatten` sells the holdings. Loads no
 * database; reads only addresses and session folder. Never asks.
 */
import { Command, Option } from 'commander';
import { action, type BuildCommand, type CliIo, type CommandResult } from '../../command.ts';
import { durationOption } from '../../config-option.ts';
import { keyOf } from '../../operations/credentials.ts';
import {
  isMeant,
  panicConfig,
  panicTargets,
  type PanicConfig,
  type PanicTarget,
} from '../../sessions/panic-targets.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import { Instruments } from '../../../model/market/instrument.ts';
import { messageOf } from '../../../model/errors.ts';
import { colouring } from '../../terminal/table.ts';
import { PANIC_FLATTEN } from '../../../risk/kill-switch.ts';
import { isUncertified, UNCERTIFIED } from '../../../session/connection/certificates.ts';
import { byLock } from '../../../session/emergency/held-folder.ts';
import { emergencyExchange } from '../../../session/emergency/emergency.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { createLogger } from '../../../session/store/logger.ts';
import type { Flattening, Left } from '../../../session/emergency/panic-flatten.ts';
import { callLive, type LiveCalls, type LiveSearch } from '../../../session/emergency/panic-live.ts';
import {
  cancelEverything,
  PANIC_PATIENCE_MS,
  Problems,
  tellSessions,
  type Cancelled,
  type ToldSession,
} from '../../../session/emergency/panic.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';

interface Options {
  readonly flatten?: boolean;
  readonly config?: string;
  readonly for?: string;
}

const HELP = `
Needs the addresses of the exchange and a key, nothing else: no journal, no database, no running bot. The addresses may
come from the environment (TIDEWIRE_EXCHANGE_BASE_URL, _GATEWAY_URL, _WS_URL). Exit 0 when it is confirmed that no order
is open, 4 when it is not. With --flatten 0 when every position was closed as well, 1 when the exchange refused to close one
or took a part of it, 4 when it is not known what became of one, or whether there are more. What filled after a bot died
is closed as well: the account’s own trades are read before. Without --flatten what is left without an exit is named
(UNPROTECTED). P2P is not touched: what a dead session still offers is named. A folder of sessions that cannot be written stops nothing, and
ends with 4: what the next start must know and does not is named, with what to do first.

Example:
  npx tidewire panic --flatten --config config/sandbox.yaml`;

/** Spot and perpetuals; unreadable ones are reported and not flattened. */
async function instrumentsOf({ marketData }: Exchange, problems: Problems): Promise<Instruments> {
  const lists = [await marketData.spotInstruments(), await marketData.derivativeInstruments()];
  for (const list of lists) if (list.kind === 'failed') problems.add(`instruments: ${list.error.message}`);
  return new Instruments(lists.flatMap((list) => (list.kind === 'failed' ? [] : list.value)));
}

const NOT_FLATTENED: Flattening = { flattened: [], end: 'unproved' };

type Asked = readonly [exchange: Exchange, target: PanicTarget, problems: Problems];

/** Null: the account of the key is not known. */
async function accountOf([{ account }, { root, exchange }, problems]: Asked, what: string) {
  const me = await account.me();
  const login = me.kind === 'failed' ? null : me.value.login;
  if (login !== null) return { root, owner: { account: login, exchange: exchange.baseUrl } };
  const reason = me.kind === 'failed' ? me.error.message : 'the exchange names no login';
  problems.add(`${what}, since the account of the key is not known: ${reason}`);
  return null;
}

async function flatten(...asked: Asked): Promise<Flattening> {
  const [
    exchange,
    {
      exchange: { clientOrderIds },
    },
    problems,
  ] = asked;
  const account = await accountOf(asked, 'nothing was flattened');
  if (account === null) return NOT_FLATTENED;
  const instruments = await instrumentsOf(exchange, problems);
  const unique = Math.floor(systemClock.now()).toString(36);
  const { flattenEverything } = await import('../../../session/emergency/panic-flatten.ts');
  const options = { exchange, instruments, ...account, unique, clock: systemClock, clientOrderIds };
  return await flattenEverything(options, problems);
}

/** A failure must not hide that the cancels are confirmed. */
async function tryFlatten(...asked: Asked): Promise<Flattening> {
  try {
    return await flatten(...asked);
  } catch (thrown) {
    asked[2].add(`nothing was flattened: ${messageOf(thrown)}`);
    return NOT_FLATTENED;
  }
}

/** What is held, once no order is open that could close it. */
async function unprotectedOf(...asked: Asked): Promise<readonly Left[]> {
  const [
    exchange,
    {
      exchange: { clientOrderIds },
    },
    problems,
  ] = asked;
  const what = 'what is held without an exit is not known';
  try {
    const account = await accountOf(asked, what);
    if (account === null) return [];
    const instruments = await instrumentsOf(exchange, problems);
    const { leftToFlatten } = await import('../../../session/emergency/panic-flatten.ts');
    return await leftToFlatten({ exchange, instruments, ...account, clock: systemClock, clientOrderIds }, problems);
  } catch (thrown) {
    problems.add(`${what}: ${messageOf(thrown)}`);
    return [];
  }
}

const BY_HAND =
  'Cancel on the exchange’s own pages, and delete the key there if a bot may still hold it; or call this again once the exchange can be reached, with a key that it takes.';

const EXITS = { done: 0, failed: 1, unproved: 4 } as const;

interface Done extends Cancelled, Flattening {
  /** Only without `--flatten`. */
  readonly unprotected: readonly Left[];
}

async function silence(io: CliIo, target: PanicTarget, work: PanicWork): Promise<Done> {
  const { problems, patienceMs, calls } = work;
  const { exchange: options, keyFile, lagMs } = target;
  const env = keyFile === null ? io.env : { ...io.env, TIDEWIRE_KEY_FILE: keyFile };
  const credentials = await keyOf({ ...io, env }, { exchange: options });
  if (credentials === null) {
    throw sessionErrors.make(
      'no_api_key',
      `${work.told} (${options.baseUrl}), but TIDEWIRE_API_KEY or TIDEWIRE_API_SECRET is not set and there is no key file, so nothing was cancelled from here`,
    );
  }
  const logger = createLogger({ level: 'warn', write: io.err });
  const exchange = emergencyExchange({ exchange: options, credentials, clock: systemClock, logger });
  try {
    const terms = { patienceMs, lagMs, isQuiet: () => calls.isQuiet };
    const cancelled = await cancelEverything(exchange, systemClock, problems, terms);
    const { flattened, end }: Flattening = work.flattens
      ? await tryFlatten(exchange, target, problems)
      : { flattened: [], end: 'done' };
    const isKnown = work.stops && !work.flattens && cancelled.openAfter === 0;
    const unprotected = isKnown ? await unprotectedOf(exchange, target, problems) : [];
    return { ...cancelled, flattened, end, unprotected };
  } finally {
    await exchange.close();
  }
}

interface PanicWork {
  readonly problems: Problems;
  readonly patienceMs: number;
  readonly calls: LiveCalls;
  /** In words. */
  readonly told: string;
  readonly flattens: boolean;
  /** Whether there are sessions that may hold something. */
  readonly stops: boolean;
}

function together(parts: readonly Done[]): Done {
  const sum = (of: (part: Done) => number): number => parts.reduce((total, part) => total + of(part), 0);
  return {
    requests: sum(({ requests }) => requests),
    canceled: sum(({ canceled }) => canceled),
    openAfter: parts.some(({ openAfter }) => openAfter === null) ? null : sum(({ openAfter }) => openAfter ?? 0),
    resting: parts.some(({ resting }) => resting === null) ? null : parts.flatMap(({ resting }) => resting ?? []),
    flattened: parts.flatMap(({ flattened }) => flattened),
    unprotected: parts.flatMap(({ unprotected }) => unprotected),
    end: parts.find(({ end }) => end === 'unproved')?.end ?? parts.find(({ end }) => end === 'failed')?.end ?? 'done',
  };
}

async function tellAll(
  config: PanicConfig,
  { records }: LiveSearch,
  reason: string,
  problems: Problems,
): Promise<readonly ToldSession[]> {
  const roots = new Set([config.root, ...records.map(({ root }) => root)]);
  const isHeld = await byLock(0);
  return [...roots].flatMap((root) => tellSessions(root, reason, problems, isHeld));
}

/** Orders alone are cancelled. What a dead session offers by P2P is named; a running one hides it itself. */
async function nameOffers(sessions: readonly ToldSession[], problems: Problems): Promise<void> {
  for (const { id, path, runs } of sessions) {
    if (runs) continue;
    try {
      const { offersAt } = await import('../../../session/emergency/standing-offers.ts');
      const offers = offersAt(path);
      if (offers !== null) problems.add(`${id}: ${offers}`);
    } catch {
      // Without a database or a readable journal nothing is known of it.
    }
  }
}

function counted(count: number, one: string, many: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
}

/** What is stopped or latched, and which starts are blocked. */
function toldText(sessions: readonly ToldSession[], { calls }: LiveSearch, isWritten: boolean): string {
  const running = sessions.filter(({ runs }) => runs).length;
  const latched = sessions.length - running;
  const done = [
    ...counted(running, 'running session is stopped', 'running sessions are stopped'),
    ...counted(
      latched,
      'session that does not run is latched for its next start',
      'sessions that do not run are latched for their next start',
    ),
    ...(sessions.length > 0 ? [] : counted(calls.count, 'process of the account is called', 'processes are called')),
  ];
  const none = isWritten ? 'no session was found that runs or would be resumed' : 'no session could be latched';
  const stopped = done.length === 0 ? none : done.join(', ');
  if (!isWritten) return `${stopped}, but starts are NOT BLOCKED, since KILL could not be written`;
  return `${stopped}, and ${sessions.length > 0 ? 'starts are' : 'a start under way is'} blocked`;
}

function openText({ resting }: Cancelled): string {
  if (resting === null) return 'the open orders could not be read';
  return resting.length === 0 ? 'that no order is open' : `${resting.length} orders are still open`;
}

function unprotectedText(left: readonly Left[], paint: ReturnType<typeof colouring>): readonly string[] {
  if (left.length === 0) return [];
  const lines = left.map(({ quantity, symbol, strategy }) =>
    paint('red', `UNPROTECTED: ${quantity} of ${symbol} of ${strategy} have no exit any more`),
  );
  return [...lines, '→ `tidewire panic --flatten` closes what is left, at market'];
}

async function panic(io: CliIo, options: Options): Promise<CommandResult> {
  const patienceMs = durationOption('for', options.for) ?? PANIC_PATIENCE_MS;
  const problems = new Problems();
  const config = panicConfig(io, options.config);
  const add = (text: string): void => problems.add(text);
  const reason = options.flatten === true ? PANIC_FLATTEN : 'panic';
  const live = await callLive(reason, (record) => isMeant(config, record), add);
  const sessions = await tellAll(config, live, reason, problems);
  const told = toldText(sessions, live, problems.listUnwritten().length === 0);
  const targets = panicTargets(config, live.records);
  if (config.problem !== null) io.err(`warn ${messageOf(config.problem)}\n`);
  if (targets.length === 0) {
    throw (
      config.problem ?? sessionErrors.make('live_no_exchange', 'exchange.baseUrl, gatewayUrl or wsUrl is "sandbox"')
    );
  }
  if (isUncertified(io.env)) io.err(`warn ${UNCERTIFIED}: anybody on the way could say that no order is open\n`);
  const work = {
    problems,
    patienceMs,
    calls: live.calls,
    told,
    flattens: options.flatten === true,
    stops: sessions.length > 0,
  };
  io.err(`${told}; cancels are sent, and it takes a while to confirm that no order is open\n`);
  let parts: readonly Done[];
  try {
    parts = await Promise.all(targets.map((target) => silence(io, target, work)));
  } catch (thrown) {
    io.err(`${told}; cancelling from here failed: ${messageOf(thrown)}\n`);
    throw thrown;
  }
  await nameOffers(sessions, problems);
  const { end, ...done } = together(parts);
  const loud = live.calls.loud();
  const isProved = done.openAfter === 0 && loud.length === 0;
  const unwritten = problems.listUnwritten();
  const ids = {
    told: sessions.map(({ id }) => id),
    running: sessions.filter(({ runs }) => runs).map(({ id }) => id),
  };
  const json = { command: 'panic', ...ids, ...done, loud, problems: problems.list(), unwritten };
  const lines = [
    told,
    isProved
      ? `no order is open any more (${done.canceled} cancelled in ${done.requests} requests)`
      : `NOT CONFIRMED: ${openText(done)}`,
    ...(done.resting ?? []),
    ...loud,
    ...(isProved ? [] : [`→ ${BY_HAND}`]),
    ...done.flattened.map(({ quantity, symbol, outcome }) => `${quantity} ${symbol}: ${outcome}`),
    ...unprotectedText(done.unprotected, colouring(io.isTty, io.env)),
    ...problems.list(),
    ...unwritten.map((text) => `→ NOT WRITTEN DOWN in ${text}`),
  ];
  return { json, text: lines.join('\n'), exit: isProved && unwritten.length === 0 ? EXITS[end] : 4 };
}

export const build: BuildCommand = (io) =>
  new Command('panic')
    .description('Cancel every order of the account at once, even when the bot is broken.')
    // It never asks; `--yes` is accepted from habit.
    .addOption(new Option('--yes').hideHelp())
    .option('--flatten', 'also sell (or buy back) what the live sessions hold, at market')
    .option('--for <DURATION>', 'how long to try when the exchange does not answer', `${PANIC_PATIENCE_MS / 1000}s`)
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', HELP)
    .action(action(io, (options: Options) => panic(io, options)));
