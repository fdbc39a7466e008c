/**
 * What only a human commands: opening the kill switch again, enabling a latched strategy, resuming a halted symbol,
 * putting a limit aside for a while,
 * ending the trial of a strategy's version. Each is journalled with its reason. Called by the executor; strategies have no way here.
 */
import type { LimitOverrideEntry } from '../model/human-entries.ts';
import type { Core } from './core.ts';
import { executionErrors } from './errors.ts';
import { requireOver } from './trials.ts';

export function clearKill(core: Core, reason: string): void {
  core.turn.run(() => {
    core.kill.clear();
    core.state.killReason = undefined;
    core.put({ kind: 'kill', on: false, reason });
  });
}

export function enable(core: Core, strategy: string, reason: string): void {
  core.turn.run(() => {
    if (!core.state.latches.delete(strategy)) return;
    core.risk.enabled(strategy);
    core.put({ kind: 'latch', strategy, on: false, reason });
  });
}

export function resume(core: Core, symbol: string, reason: string): void {
  core.turn.run(() => {
    if (core.state.halts.delete(symbol)) core.put({ kind: 'halt', symbol, on: false, reason });
  });
}

export function overrideLimit(core: Core, override: Omit<LimitOverrideEntry, 'kind' | 'from'>): void {
  const from = core.risk.checkOverride(override, core.now());
  core.turn.run(() => {
    const entry = { kind: 'limit-override', from, ...override } as const;
    // What cannot be journalled widens nothing.
    if (override.value !== null && !core.writer.commit(entry)) return;
    if (override.value === null) core.put(entry);
    core.state.overrides.set(override.limit, entry);
    core.risk.overridden();
    const { limit, value, until, reason } = override;
    const what = value === null ? 'stands as configured again' : `is ${value} until ${new Date(until).toISOString()}`;
    core.alarm('limit_override', `${limit} ${what}: ${reason}`);
  });
}

export function widen(core: Core, strategy: string, reason: string): string {
  const { version, fills } = requireOver(core.state.trials, strategy, core.now());
  let isWritten = false;
  core.turn.run(() => {
    // What cannot be journalled widens nothing.
    isWritten = core.writer.commit({ kind: 'widened', strategy, version, fills, reason });
    if (!isWritten) return;
    core.state.trials.widen(strategy, version, reason);
    core.risk.overridden();
    core.alarm('limits_widened', `${strategy} has its limits as configured from now on (${version}): ${reason}`);
  });
  if (!isWritten) throw core.writer.failure ?? executionErrors.make('journal_failed', 'the journal cannot be written');
  return version;
}
