/** How often and how long gates were closed, and counts of alarms, from a journal. Pure. */
import type { JournalRow } from '../../model/entries/journal.ts';

export interface GateHealth {
  readonly gate: string;
  /** Empty: all symbols. */
  readonly symbol: string;
  closed: number;
  closedMs: number;
  /** Unix ms; null when open. */
  since: number | null;
  lastMessage: string;
}

export interface StreamHealth {
  readonly from: number | null;
  readonly to: number | null;
  readonly gates: readonly GateHealth[];
  readonly alarms: Readonly<Record<string, number>>;
}

export function streamHealth(rows: Iterable<JournalRow>): StreamHealth {
  const gates = new Map<string, GateHealth>();
  const alarms: Record<string, number> = {};
  let from: number | null = null;
  let to: number | null = null;
  const open = (gate: GateHealth, ts: number): void => {
    if (gate.since === null) return;
    gate.closedMs += ts - gate.since;
    gate.since = null;
  };
  for (const { ts, entry } of rows) {
    // A gate's state ends with its process.
    if (entry.kind === 'session' && entry.event === 'start') for (const gate of gates.values()) open(gate, to ?? ts);
    from ??= ts;
    to = ts;
    if (entry.kind === 'alarm') alarms[entry.code] = (alarms[entry.code] ?? 0) + 1;
    if (entry.kind !== 'gate') continue;
    const key = `${entry.gate} ${entry.symbol}`;
    const gate = gates.get(key) ?? {
      gate: entry.gate,
      symbol: entry.symbol,
      closed: 0,
      closedMs: 0,
      since: null,
      lastMessage: '',
    };
    gates.set(key, gate);
    if (entry.state === 'open') open(gate, ts);
    else if (gate.since === null) {
      gate.closed++;
      gate.since = ts;
      gate.lastMessage = entry.message;
    }
  }
  return { from, to, gates: [...gates.values()], alarms };
}
