/**
 * No new risk in a symbol that the process has been shown to be halted, to be gone, or to be counted in other steps than those it
 * was shown first (INV-R3); and reductions are denied for none of these (INV-R4). Judged from the lists of instruments that it was
 * answered, and from rows of its journal.
 */
import { isRecord } from '../../../src/exchange/wire/decoded.ts';
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { PERPETUAL } from './futures/terms.ts';
import { SYMBOL } from './restless.ts';

/** A whole list of instruments, as the trace tells it. */
export const INSTRUMENTS_TOLD = /^= 200 \[\{"symbol":"\w+","base":/;
const BODY = /\{.*/s;
/** One whole list without a symbol may be a mistake of the exchange. */
const MISSING_MIN = 2;
const LATE_US = 1;

interface Told {
  /** Tick and lot as they were shown first. */
  readonly steps: string;
  missing: number;
  shut: { readonly why: string; readonly sinceUs: number } | null;
}

export class InstrumentLaw {
  readonly #violated: (law: string, what: string) => void;
  readonly #couldClose: (strategy: string, symbol: string) => boolean;
  readonly #told = new Map<string, Told>();
  readonly #reductions = new Set<string>();

  /** `couldClose`: what a strategy holds of a symbol could be taken off the account, by the journal. */
  constructor(
    violated: (law: string, what: string) => void,
    couldClose: (strategy: string, symbol: string) => boolean,
  ) {
    this.#violated = violated;
    this.#couldClose = couldClose;
  }

  boot(): void {
    this.#told.clear();
    this.#reductions.clear();
  }

  told(us: number, what: string): void {
    const list = read(what.slice('= 200 '.length));
    if (!Array.isArray(list)) return;
    const specs = new Map(list.filter(isRecord).map((spec) => [String(spec['symbol']), spec]));
    for (const symbol of [SYMBOL, PERPETUAL]) {
      const isOfMarket = [...specs.keys()].some((one) => one.endsWith('PERP') === (symbol === PERPETUAL));
      if (isOfMarket) this.#compare(us, symbol, specs.get(symbol));
    }
  }

  /** A create that takes new risk leaves. */
  create(us: number, what: string): void {
    const order = read(BODY.exec(what)?.[0] ?? '');
    if (!isRecord(order)) return;
    const symbol = String(order['symbol']);
    const shut = this.#told.get(symbol)?.shut ?? null;
    if (shut !== null && us > shut.sinceUs + LATE_US)
      this.#violated('R3', `new risk leaves in ${symbol}, which it was shown to be ${shut.why}`);
  }

  row(entry: JournalEntry): void {
    if (entry.kind === 'intent' && entry.command === 'create') {
      if (entry.reduceOnly && entry.newRisk !== true) this.#reductions.add(entry.intentId);
    } else if (entry.kind === 'outcome' && entry.outcome.kind === 'denied' && this.#reductions.has(entry.intentId))
      this.#denied(entry.intentId, entry.outcome.denied.reason);
    else if (entry.kind === 'denial' && entry.action === 'flatten') {
      if (this.#couldClose(entry.strategy, entry.symbol ?? '')) this.#denied('a flatten', entry.reason);
    }
  }

  #denied(what: string, reason: string): void {
    if (reason === 'symbol_halted' || reason === 'instrument_changed')
      this.#violated('R4', `${what} is denied as ${reason}`);
  }

  #compare(us: number, symbol: string, spec: Readonly<Record<string, unknown>> | undefined): void {
    const told = this.#told.get(symbol);
    if (spec === undefined) {
      if (told === undefined || ++told.missing < MISSING_MIN) return;
      told.shut ??= { why: 'gone', sinceUs: us };
      return;
    }
    const steps = `tick ${String(spec['tickSize'])}, lot ${String(spec['lotSize'])}`;
    const why =
      spec['status'] === 'halted' ? 'halted' : told === undefined || told.steps === steps ? null : `of ${steps}`;
    const shut = why === null ? null : { why, sinceUs: us };
    if (told === undefined) this.#told.set(symbol, { steps, missing: 0, shut });
    else {
      told.missing = 0;
      told.shut = shut;
    }
  }
}

/** Undefined: it cannot be read. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
