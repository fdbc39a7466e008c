/**
 * What only a human commands: opening the kill switch again, enabling a latched strategy, resuming a halted symbol,
 * putting a limit aside for a while. Each is journalled with its reason. Called by the executor; strategies have no way here.
 */
import type { LimitOverrideEntry } from '../model/journal.ts';
import type { Core } from './core.ts';

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
