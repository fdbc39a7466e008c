/** Why a restart would be refused or take no new risk, by journal, account and configuration. Pure. */
import type { AccountRow } from '../../reconciler/account/account-rows.ts';
import { movingText } from '../../reconciler/local-order.ts';
import { isOfContradiction, restoredText } from '../../risk/gates.ts';
import type { StateView } from '../../spine/trading-state.ts';
import type { DenyReason } from '../../model/trading/deny-reason.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import {
  acknowledgeCommand,
  approveBuildCommand,
  clearKillCommand,
  enableCommand,
  resumeCommand,
  unpauseCommand,
} from '../../session/controls/lifting-commands.ts';
import type { SessionRecord } from '../../session/store/store.ts';
import type { LimitRow } from './standing-limits.ts';

export interface Refusal {
  /** A deny reason, or for the start itself `session_running` or `build_changed`. */
  readonly reason: DenyReason | 'session_running' | 'build_changed';
  readonly message: string;
  /** A human must act; else the gate opens by itself. */
  readonly needsHuman: boolean;
}

export interface RefusalFacts {
  readonly state: StateView;
  readonly record: SessionRecord;
  readonly running: boolean;
  /** How this build differs from the session's last; null when equal. */
  readonly buildDoubt: string | null;
  readonly instruments: readonly Instrument[];
  readonly account: readonly AccountRow[];
  readonly limits: readonly LimitRow[];
  /** An unheeded kill file's reason, or null. */
  readonly killFile: string | null;
}

export function refusalsOf(facts: RefusalFacts): readonly Refusal[] {
  const { id } = facts.record;
  const { state, record, running, buildDoubt, instruments, account, limits, killFile } = facts;
  const refusals: Refusal[] = [];
  const refuse = (reason: Refusal['reason'], message: string, needsHuman: boolean): void => {
    refusals.push({ reason, message, needsHuman });
  };
  if (running) refuse('session_running', `${record.id} runs in process ${record.pid}; a second start is refused`, true);
  if (buildDoubt !== null)
    refuse('build_changed', `${buildDoubt}; \`${approveBuildCommand(id)}\` lets it continue`, true);
  const killed = state.killReason ?? killFile;
  if (killed !== null)
    refuse('killed', `the kill switch is on: ${killed}; \`${clearKillCommand(id)}\` switches it off`, true);
  if (state.restored !== undefined) {
    refuse('restored', `${restoredText(state.restored)}; \`${acknowledgeCommand(id)}\` opens it`, true);
  }
  for (const [tag, reason] of state.latches)
    refuse(
      'strategy_latched',
      `${tag} is latched: ${reason}; \`${enableCommand(id, tag)}\` enables it once it runs`,
      true,
    );
  for (const [tag, reason] of state.pauses)
    refuse(
      'strategy_paused',
      `${tag} is paused: ${reason}; \`${unpauseCommand(id, tag)}\` resumes it once it runs`,
      true,
    );
  for (const [symbol, reason] of state.halts)
    if (!isOfContradiction(state, reason))
      refuse(
        'overfilled',
        `${symbol} is halted: ${reason}; \`${resumeCommand(id, symbol)}\` resumes it once it runs`,
        true,
      );
  for (const { id: decision, symbol } of state.undivided.all)
    refuse('liquidated', `${symbol}: a human has to attribute the liquidation (${decision})`, true);
  for (const [decision, { fill }] of state.contradicted)
    refuse(
      'overfilled',
      `${fill.symbol}: a human has to decide which terms of trade ${fill.tradeId} are right (${decision})`,
      true,
    );
  for (const { symbol, spec } of instruments)
    if (spec.status === 'halted') refuse('symbol_halted', `${symbol} is halted at the exchange`, false);
  for (const { subject, name, verdict, difference } of account) {
    if (verdict !== 'differs') continue;
    const waits = movingText(state);
    const then =
      waits === undefined
        ? 'a start books it as "while down", with an alarm, once two polls agree, except what the exchange lists as a movement of money'
        : `it is not judged, and a start sends nothing of ${name}, because ${waits}`;
    const message = `the ${subject} of ${name} differs from what the journal explains by ${difference}: ${then}`;
    refuse('position_mismatch', message, false);
  }
  return [...refusals, ...refusedByLimits(limits)];
}

const LIMIT_REASONS = {
  maxOpenOrders: 'max_open_orders',
  maxOpenNotional: 'max_open_notional',
  maxPosition: 'max_position',
} as const satisfies Record<LimitRow['limit'], DenyReason>;

export function refusedByLimits(limits: readonly LimitRow[]): readonly Refusal[] {
  return limits
    .filter(({ passed }) => !passed)
    .map(({ limit, of, stands, allowed }) => {
      const message = `${of}: ${stands} stands against ${limit} ${allowed}`;
      return { reason: LIMIT_REASONS[limit], message, needsHuman: false };
    });
}
