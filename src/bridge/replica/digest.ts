/** What the newest rows of a journal say beyond the state: alarms, closed gates, fills, latency, commands from outside. */
import type { GateEntry, JournalRow, RecordEntry } from '../../model/entries/journal.ts';
import { REMOTE_FAILURE, type RemoteFailure } from '../../session/remote/remote-order.ts';
import { REMOTE_COMMAND } from '../../spine/command-keys.ts';
import type { FillRow } from '../schemas/orders.ts';
import type { AlarmRow, GateRow } from '../schemas/session.ts';
import { fillRowOf, type FilledIntent } from './fill-row.ts';
import { Latencies } from './latencies.ts';

const ALARMS_MAX = 20;
export const FILLS_MAX = 1_000;
const COMMANDS_MAX = 10_000;
const INTENTS_MAX = 10_000;

export interface KnownCommand {
  readonly seq: number;
  readonly ts: number;
  /** As it was journalled, with `command`. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly failure: RemoteFailure | null;
}

function bounded<K, V>(map: Map<K, V>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

export class Digest {
  readonly alarms: AlarmRow[] = [];
  readonly fills: FillRow[] = [];
  readonly latencies = new Latencies();
  readonly #gates = new Map<string, GateRow>();
  readonly #commands = new Map<string, KnownCommand>();
  readonly #intents = new Map<string, FilledIntent>();

  get gates(): readonly GateRow[] {
    return [...this.#gates.values()];
  }

  command(key: string): KnownCommand | undefined {
    return this.#commands.get(key);
  }

  row(row: JournalRow): void {
    const { seq, ts, entry } = row;
    this.latencies.row(row);
    switch (entry.kind) {
      case 'session':
        if (entry.event === 'start') this.#gates.clear();
        return;
      case 'alarm':
        this.alarms.push({ seq, ts, code: entry.code, message: entry.message });
        if (this.alarms.length > ALARMS_MAX) this.alarms.shift();
        return;
      case 'gate':
        this.#gate(ts, entry);
        return;
      case 'intent':
        if (entry.command === 'create') this.#intents.set(entry.intentId, entry);
        bounded(this.#intents, INTENTS_MAX);
        return;
      case 'fill':
      case 'liquidation':
        this.fills.push(...[fillRowOf(row, (intentId) => this.#intents.get(intentId)) ?? []].flat());
        if (this.fills.length > FILLS_MAX) this.fills.shift();
        return;
      case 'record':
        if (entry.name === REMOTE_COMMAND) this.#ordered(seq, ts, entry);
        else if (entry.name === REMOTE_FAILURE) this.#failed(entry);
        return;
      default:
    }
  }

  #gate(ts: number, { gate, symbol, state, reason, message }: GateEntry): void {
    const key = `${gate} ${symbol}`;
    if (state === 'open') this.#gates.delete(key);
    else this.#gates.set(key, { gate, symbol, reason, message, since: this.#gates.get(key)?.since ?? ts });
  }

  #ordered(seq: number, ts: number, { data }: RecordEntry): void {
    if (typeof data !== 'object' || data === null || Array.isArray(data)) return;
    const fields = data as Readonly<Record<string, unknown>>;
    if (typeof fields['key'] !== 'string') return;
    this.#commands.set(fields['key'], { seq, ts, data: fields, failure: null });
    bounded(this.#commands, COMMANDS_MAX);
  }

  #failed({ data }: RecordEntry): void {
    const { key, failure } = data as unknown as { readonly key: string; readonly failure: RemoteFailure };
    const known = this.#commands.get(key);
    if (known !== undefined) this.#commands.set(key, { ...known, failure });
  }
}
