/** What a journal shows of its controls in a period. Pure. */
import type { JournalRow } from '../../model/entries/journal.ts';
import type { Json } from '../../model/text/json.ts';
import type { RiskFigure } from '../../model/trading/deny-reason.ts';
import { CONTROLS } from '../../spine/trials.ts';

export interface ControlEvent {
  /** Unix ms. */
  readonly ts: number;
  readonly what: string;
  readonly reason: string;
}

export interface Utilisation {
  readonly check: string;
  readonly whose: string;
  /** Largest use by an order. */
  readonly most: number;
  readonly limit: number;
  readonly at: number;
}

export interface JournalFacts {
  readonly boots: number;
  /** Rows of limits and strategies in the period, and the one in force at its start. */
  readonly controls: readonly { readonly ts: number; readonly data: Json }[];
  /** By strategy. */
  readonly orders: Readonly<Record<string, number>>;
  readonly fills: number;
  readonly denials: Readonly<Record<string, number>>;
  readonly alarms: Readonly<Record<string, number>>;
  readonly overrides: readonly ControlEvent[];
  /** Kill switch, latches, halts, restores and their ends. */
  readonly interventions: readonly ControlEvent[];
  readonly flows: readonly ControlEvent[];
  readonly utilisation: readonly Utilisation[];
}

export function journalFacts(rows: Iterable<JournalRow>, from: number, to: number): JournalFacts {
  const facts = new Facts();
  for (const row of rows) {
    if (row.ts >= to) break;
    if (row.ts >= from) facts.row(row);
    else facts.before(row);
  }
  return facts.result();
}

class Facts {
  #boots = 0;
  #fills = 0;
  readonly #controls: { readonly ts: number; readonly data: Json }[] = [];
  readonly #orders = new Map<string, number>();
  readonly #denials = new Map<string, number>();
  readonly #alarms = new Map<string, number>();
  readonly #overrides: ControlEvent[] = [];
  readonly #interventions: ControlEvent[] = [];
  readonly #flows: ControlEvent[] = [];
  readonly #utilisation = new Map<string, Utilisation>();

  before({ ts, entry }: JournalRow): void {
    if (entry.kind === 'record' && entry.name === CONTROLS) this.#controls.splice(0, 1, { ts, data: entry.data });
  }

  row({ ts, entry }: JournalRow): void {
    const did = (what: string, reason: string): number => this.#interventions.push({ ts, what, reason });
    const state = (on: boolean): string => (on ? 'on' : 'off');
    switch (entry.kind) {
      case 'session':
        if (entry.event === 'start') this.#boots++;
        return;
      case 'record':
        if (entry.name === CONTROLS) this.#controls.push({ ts, data: entry.data });
        return;
      case 'intent':
        if (entry.command !== 'create') return;
        count(this.#orders, entry.strategy);
        this.#use(entry.risk ?? [], ts);
        return;
      case 'fill':
        this.#fills++;
        return;
      case 'denial':
        count(this.#denials, entry.reason);
        return;
      case 'closed':
        if (entry.state === 'denied') count(this.#denials, entry.reason);
        return;
      case 'alarm':
        count(this.#alarms, entry.code);
        return;
      case 'limit-override': {
        const { limit, from, value, until, reason } = entry;
        const what = `${limit}: ${from ?? 'none'} → ${value ?? 'as configured'} until ${new Date(until).toISOString()}`;
        this.#overrides.push({ ts, what, reason });
        return;
      }
      case 'kill':
        did(`kill switch ${state(entry.on)}`, entry.reason);
        return;
      case 'latch':
        did(`latch of ${entry.strategy} ${state(entry.on)}`, entry.reason);
        return;
      case 'pause':
        did(`pause of ${entry.strategy} ${state(entry.on)}`, entry.reason);
        return;
      case 'halt':
        did(`halt of ${entry.symbol} ${state(entry.on)}`, entry.reason);
        return;
      case 'restored':
        did(`journal ${entry.event}`, entry.reason);
        return;
      case 'cash-flow':
        this.#flows.push({ ts, what: `${entry.amount} ${entry.currency}`, reason: entry.cause });
        return;
      default:
    }
  }

  result(): JournalFacts {
    return {
      boots: this.#boots,
      controls: this.#controls,
      orders: Object.fromEntries(this.#orders),
      fills: this.#fills,
      denials: Object.fromEntries(this.#denials),
      alarms: Object.fromEntries(this.#alarms),
      overrides: this.#overrides,
      interventions: this.#interventions,
      flows: this.#flows,
      utilisation: [...this.#utilisation.values()].toSorted((left, right) => right.most - left.most),
    };
  }

  #use(figures: readonly RiskFigure[], at: number): void {
    for (const [check, whose, value, limit] of figures) {
      const key = `${check} ${whose}`;
      const most = limit > 0 ? value / limit : 0;
      const known = this.#utilisation.get(key);
      if (known === undefined || most > known.most) this.#utilisation.set(key, { check, whose, most, limit, at });
    }
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
