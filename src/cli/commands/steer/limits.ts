/**
 * `tidewire limits show|override|widen|confirm|withdraw|enable|resume SESSION`: changes limits of a running session,
 * for a time, in two steps, with a journalled reason.
 */
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand, type CliIo, type CommandResult } from '../../command.ts';
import { clip } from '../../terminal/clip.ts';
import { configParts, durationOption } from '../../config-option.ts';
import { heeded } from '../../sessions/heeded.ts';
import { table } from '../../terminal/table.ts';
import { riskErrors } from '../../../risk/errors.ts';
import { OVERRIDE_LONGEST_MS } from '../../../risk/limit-book.ts';
import { replayJournal } from '../../../journal/resume.ts';
import type { Replay } from '../../../spine/replay.ts';
import type { StateView } from '../../../spine/trading-state.ts';
import { requireOver, trialText } from '../../../risk/protections/trial.ts';
import { limitsUsed, worthBy, type Known, type LimitUse } from '../../../operations/limits-used.ts';
import { sessionErrors } from '../../../session/errors.ts';
import { isRunning } from '../../../session/store/is-running.ts';
import {
  confirmProposal,
  newId,
  proposeOverride,
  proposeWidening,
  type ProposedOrder,
} from '../../../session/controls/limit-control.ts';
import { readLosses } from '../../../session/store/losses-file.ts';
import { readPrices } from '../../../session/store/prices-file.ts';
import { presentSession } from '../../../session/store/present-session.ts';
import { findSession, listSessions, sessionFiles, type SessionFolder } from '../../../session/store/store.ts';
import { systemClock } from '../../../session/clock/system-clock.ts';

interface Options {
  readonly config?: string;
}

interface Reasoned extends Options {
  readonly reason: string;
}

function folderOf(io: CliIo, wanted: string, options: Options): SessionFolder {
  const config = configParts(io, options.config, ['journal']);
  return findSession(resolve(io.cwd, config.journal.dir), wanted);
}

function running(io: CliIo, wanted: string, options: Options): SessionFolder {
  const folder = folderOf(io, wanted, options);
  if (isRunning(folder)) return folder;
  throw sessionErrors.make('limit_not_confirmed', `${folder.record.id} does not run`, { session: folder.record.id });
}

/** Prices as last written by the session. */
function worthIn({ path }: SessionFolder, { instruments }: Replay, reporting: string): Known['worth'] {
  const known = Object.entries(readPrices(join(path, sessionFiles.prices)));
  return worthBy(instruments, reporting, Object.fromEntries(known.map(([symbol, { price }]) => [symbol, price])));
}

function stateOf({ path }: SessionFolder): StateView {
  return replayJournal(path).state;
}

function withConfig(command: Command): Command {
  return command.option('--config <FILE>', 'configuration file');
}

/** Keeps the widest table within 80 columns. */
const SCOPE_WIDTH = 18;

function limitTable(limits: readonly LimitUse[]): string {
  const rows = limits.map(({ scope, name, value, configured, used, share }) => [
    clip(scope, SCOPE_WIDTH),
    name,
    configured === null ? value : `${value} (was ${configured})`,
    used === null ? '-' : String(Number(Number(used).toPrecision(6))),
    share === null ? '-' : `${Math.round(share * 100)} %`,
  ]);
  return table(rows, { head: ['of', 'limit', 'value', 'used', ''], right: [2, 3, 4] });
}

function standingTable(state: StateView, now: number): string | null {
  const rows = [
    ...[...state.overrides.values()].map(({ limit, from, value, until, reason }) => [
      limit,
      `${from ?? 'none'} → ${value ?? 'as configured'}`,
      value !== null && until > now ? `until ${new Date(until).toISOString()}` : 'over',
      reason,
    ]),
    ...[...state.latches].map(([strategy, reason]) => [strategy, 'latched', '', reason]),
    ...[...state.pauses].map(([strategy, reason]) => [strategy, 'paused', '', reason]),
    ...[...state.halts].map(([symbol, reason]) => [symbol, 'halted', '', reason]),
    ...state.trials.open().map((trial) => [trial.strategy, 'on trial', '', trialText(trial)]),
  ];
  return rows.length === 0 ? null : table(rows);
}

/** Of the day, as last written by the session. */
function lossesOf({ path, record }: SessionFolder): Pick<Known, 'dayLoss' | 'strategyLosses'> {
  const losses = readLosses(join(path, sessionFiles.losses));
  return { dayLoss: losses?.account ?? record.dayLoss, strategyLosses: losses?.strategies ?? {} };
}

function present(root: string): SessionFolder | undefined {
  const sessions = listSessions(root);
  return presentSession(sessions.filter(({ record }) => record.mode === 'live')) ?? presentSession(sessions);
}

function showCommand(io: CliIo): Command {
  return withConfig(
    new Command('show').description('Show the limits of a session, what is used of each, its overrides and latches.'),
  )
    .argument(
      '[session]',
      'id or folder; by default the live one that runs, would be resumed, or is the newest; without a live one the same of all',
    )
    .addHelpText('after', '\nExample:\n  npx tidewire limits show live-spread-maker-1 --json')
    .action(
      action(io, async (wanted: string | undefined, options: Options) => {
        const config = configParts(io, options.config, ['journal', 'account']);
        const root = resolve(io.cwd, config.journal.dir);
        const folder = wanted === undefined ? present(root) : findSession(root, wanted);
        if (folder === undefined) throw sessionErrors.make('session_not_found', `there is no session under ${root}`);
        const replay = replayJournal(folder.path);
        const { state } = replay;
        const now = systemClock.now();
        const { reporting } = config.account;
        const worth = worthIn(folder, replay, reporting);
        const limits = limitsUsed(state, { now, reporting, ...lossesOf(folder), worth });
        const overrides = [...state.overrides.values()].map(({ id, limit, from, value, until, reason }) => {
          const active = value !== null && until > now;
          return { id, limit, from, value, until, active, reason };
        });
        const latches = [...state.latches].map(([strategy, reason]) => ({ strategy, reason }));
        const pauses = [...state.pauses].map(([strategy, reason]) => ({ strategy, reason }));
        const halts = [...state.halts].map(([symbol, reason]) => ({ symbol, reason }));
        const trials = state.trials.open();
        const standing = standingTable(state, now);
        const { id, mode } = folder.record;
        const text = [
          `${id} (${mode}, ${isRunning(folder) ? 'running' : 'stopped'})`,
          limits.length === 0 ? 'its journal holds no limits yet' : limitTable(limits),
          standing ?? 'no override, no latch, no pause, no halt, no trial',
        ].join('\n\n');
        const killed = state.killReason ?? null;
        return {
          json: {
            command: 'limits show',
            session: id,
            mode,
            killed,
            limits,
            overrides,
            latches,
            pauses,
            halts,
            trials,
          },
          text,
        };
      }),
    );
}

function overrideCommand(io: CliIo): Command {
  return withConfig(
    new Command('override').description('Propose another value for one limit, for a time. Takes no effect by itself.'),
  )
    .argument('<session>', 'id or folder of a running session')
    .argument('<limit>', 'risk.NAME, risk.symbols.SYMBOL.NAME or strategies.TAG.NAME')
    .argument('<value>', 'the value instead')
    .requiredOption('--reason <TEXT>', 'why; stands in the journal')
    .option('--for <DURATION>', 'how long; an hour at most', '15m')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire limits override live-spread-maker-1 risk.maxOrderValue 2500 --for 30m --reason "rebalancing"',
    )
    .action(
      action(io, async (wanted: string, limit: string, value: string, options: Reasoned & { readonly for: string }) => {
        const forMs = durationOption('for', options.for) ?? 0;
        if (forMs > OVERRIDE_LONGEST_MS)
          throw sessionErrors.make('bad_option', `--for ${options.for} is longer than an hour`, { option: 'for' });
        const { path, record } = running(io, wanted, options);
        const id = newId();
        const order = {
          kind: 'override',
          id,
          limit,
          value,
          forMs,
          reason: options.reason,
          at: systemClock.now(),
        } as const;
        const code = proposeOverride(path, order);
        const next = `npx tidewire limits confirm ${record.id} ${code}`;
        const text = `proposed: ${limit} = ${value} for ${options.for}; nothing has changed yet.\nWithin a minute: ${next}`;
        return { json: { command: 'limits override', session: record.id, id, limit, value, forMs, code }, text };
      }),
    );
}

function widenCommand(io: CliIo): Command {
  return withConfig(
    new Command('widen').description(
      'Propose to end the trial of a strategy’s version (risk.canary). Takes no effect by itself.',
    ),
  )
    .argument('<session>', 'id or folder of a running session')
    .requiredOption('--strategy <TAG>', 'its tag')
    .requiredOption('--reason <TEXT>', 'why; stands in the journal and in the list of approved versions')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire limits widen live-spread-maker-1 --strategy spread-maker --reason "a day without a surprise"',
    )
    .action(
      action(io, async (wanted: string, options: Reasoned & { readonly strategy: string }) => {
        const folder = running(io, wanted, options);
        const { strategy, reason } = options;
        const trial = requireOver(stateOf(folder).trials, strategy, systemClock.now());
        const id = newId();
        const code = proposeWidening(folder.path, { kind: 'widen', id, strategy, reason, at: systemClock.now() });
        const next = `npx tidewire limits confirm ${folder.record.id} ${code}`;
        const text = `proposed: ${trialText(trial)}; nothing has changed yet.\nWithin a minute: ${next}`;
        return { json: { command: 'limits widen', session: folder.record.id, id, trial, code }, text };
      }),
    );
}

function isHeeded({ overrides, trials }: StateView, order: ProposedOrder): boolean {
  return order.kind === 'override'
    ? overrides.get(order.limit)?.id === order.id
    : !trials.open().some(({ strategy }) => strategy === order.strategy);
}

function confirmed({ record }: SessionFolder, order: ProposedOrder): CommandResult {
  const command = 'limits confirm';
  if (order.kind === 'widen') {
    const { id, strategy } = order;
    const text = `${strategy} has its limits as configured; this version keeps them in later sessions`;
    return { json: { command, session: record.id, id, strategy }, text };
  }
  const { id, limit, value, forMs } = order;
  const text = `${limit} is ${value} for ${forMs < 60_000 ? `${Math.round(forMs / 1000)} s` : `${Math.round(forMs / 60_000)} min`}`;
  return { json: { command, session: record.id, id, limit, value, forMs }, text };
}

function confirmCommand(io: CliIo): Command {
  return withConfig(new Command('confirm').description('Confirm the proposed override or widening, within a minute.'))
    .argument('<session>', 'id or folder of a running session')
    .argument('<code>', 'as the proposal printed it')
    .addHelpText('after', '\nExample:\n  npx tidewire limits confirm live-spread-maker-1 4F09C2')
    .action(
      action(io, async (wanted: string, code: string, options: Options) => {
        const folder = running(io, wanted, options);
        const order = confirmProposal(folder.path, code, systemClock.now());
        await heeded(folder, order, (state) => isHeeded(state, order));
        return confirmed(folder, order);
      }),
    );
}

function withdrawCommand(io: CliIo): Command {
  return withConfig(new Command('withdraw').description('Take an override back: the limit stands as configured.'))
    .argument('<session>', 'id or folder of a running session')
    .argument('<limit>', 'the limit that was overridden')
    .requiredOption('--reason <TEXT>', 'why; stands in the journal')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire limits withdraw live-spread-maker-1 risk.maxOrderValue --reason done',
    )
    .action(
      action(io, async (wanted: string, limit: string, options: Reasoned) => {
        const folder = running(io, wanted, options);
        const id = newId();
        const { reason } = options;
        const order = { kind: 'override', id, limit, value: null, forMs: 0, reason, at: systemClock.now() } as const;
        await heeded(folder, order, ({ overrides }) => overrides.get(limit)?.id === id);
        const json = { command: 'limits withdraw', session: folder.record.id, id, limit };
        return { json, text: `${limit} stands as configured` };
      }),
    );
}

/** Throws `not_latched`, so that a typing error shows. */
function requireOne(known: ReadonlyMap<string, string>, name: string, what: 'latched' | 'halted'): void {
  if (known.has(name)) return;
  const others = known.size === 0 ? 'nothing is' : `these are: ${[...known.keys()].join(', ')}`;
  throw riskErrors.make('not_latched', `${name} is not ${what}; ${others}`, { name });
}

function enableCommand(io: CliIo): Command {
  return withConfig(
    new Command('enable').description('Take the latch off a strategy that traded, or was refused, too often.'),
  )
    .argument('<session>', 'id or folder of a running session')
    .argument('<strategy>', 'its tag')
    .requiredOption('--reason <TEXT>', 'why; stands in the journal')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire limits enable live-spread-maker-1 spread-maker --reason "looked into it"',
    )
    .action(
      action(io, async (wanted: string, strategy: string, options: Reasoned) => {
        const folder = running(io, wanted, options);
        requireOne(stateOf(folder).latches, strategy, 'latched');
        const order = { kind: 'enable', id: newId(), strategy, reason: options.reason, at: systemClock.now() } as const;
        await heeded(folder, order, ({ latches }) => !latches.has(strategy));
        const json = { command: 'limits enable', session: folder.record.id, strategy };
        return { json, text: `${strategy} may take risk again` };
      }),
    );
}

function resumeCommand(io: CliIo): Command {
  return withConfig(
    new Command('resume').description('Let a symbol that was halted after an overfill take risk again.'),
  )
    .argument('<session>', 'id or folder of a running session')
    .argument('<symbol>', 'the halted symbol')
    .requiredOption('--reason <TEXT>', 'why; stands in the journal')
    .addHelpText(
      'after',
      '\nExample:\n  npx tidewire limits resume live-spread-maker-1 BTCUSDT --reason "asked the exchange"',
    )
    .action(
      action(io, async (wanted: string, symbol: string, options: Reasoned) => {
        const folder = running(io, wanted, options);
        requireOne(stateOf(folder).halts, symbol, 'halted');
        const order = { kind: 'resume', id: newId(), symbol, reason: options.reason, at: systemClock.now() } as const;
        await heeded(folder, order, ({ halts }) => !halts.has(symbol));
        return {
          json: { command: 'limits resume', session: folder.record.id, symbol },
          text: `${symbol} may take risk again`,
        };
      }),
    );
}

export const build: BuildCommand = (io) =>
  new Command('limits')
    .description('Show and override the limits of a running session.')
    .addHelpText('after', '\nExample:\n  npx tidewire limits show live-spread-maker-1')
    .addCommand(showCommand(io))
    .addCommand(overrideCommand(io))
    .addCommand(widenCommand(io))
    .addCommand(confirmCommand(io))
    .addCommand(withdrawCommand(io))
    .addCommand(enableCommand(io))
    .addCommand(resumeCommand(io));
