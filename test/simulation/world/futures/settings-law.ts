/**
 * M10: when orders of a strategy were taken in one position mode, and one that names a side of it is refused for that, somebody
 * has changed the mode. That is told, also by a later process, and nothing new leaves in the next minute but what only reduces,
 * unless an order is taken in that mode again.
 */
import type { CreateIntentEntry, JournalEntry } from '../../../../src/model/entries/journal.ts';
import type { RareStates } from '../rare-states.ts';
import { PERPETUAL } from './terms.ts';

/** By the clock of the process it is a minute, and that clock may be set right by up to half of one (seed 1303), and drift. */
const SHUT_MS = 25_000;

export interface SettingsLawDeps {
  readonly rare: Pick<RareStates, 'mark'>;
  readonly now: () => number;
  readonly violated: (law: string, what: string) => void;
}

export class SettingsLaw {
  readonly #deps: SettingsLawDeps;
  readonly #intents = new Map<string, CreateIntentEntry>();
  readonly #proved = new Set<string>();
  /** Strategy → as its newest order that is known to have been taken. */
  readonly #taken = new Map<string, string>();
  #untold: string | null = null;
  #refusedMode = '';
  #shutUntil = 0;

  constructor(deps: SettingsLawDeps) {
    this.#deps = deps;
  }

  entry(entry: JournalEntry): void {
    if (entry.kind === 'session' && entry.event === 'start') this.#shutUntil = 0;
    else if (entry.kind === 'alarm' && entry.code === 'margin_settings') this.#untold = null;
    else if (entry.kind === 'intent' && entry.command === 'create') {
      if (entry.order.symbol === PERPETUAL) this.#intents.set(entry.intentId, entry);
    } else if (entry.kind === 'outcome' && entry.outcome.kind === 'refused') {
      if (entry.outcome.code === 'illegal_transition') this.#refused(entry.intentId);
    } else if (entry.kind === 'order' || entry.kind === 'fill') this.#prove(entry.intentId);
    else if (entry.kind === 'outcome' && entry.outcome.kind === 'accepted') this.#prove(entry.intentId);
  }

  /** Its bytes are about to leave. */
  leaving({ intentId, reduceOnly }: CreateIntentEntry): void {
    this.end();
    if (!reduceOnly && this.#deps.now() < this.#shutUntil)
      this.#deps.violated('M10', `${intentId} takes new risk where orders of its mode are refused`);
  }

  /** By now it must have been told. */
  end(): void {
    if (this.#untold !== null)
      this.#deps.violated('M10', `nobody is told that ${this.#untold} was refused for its side`);
    this.#untold = null;
  }

  /** The answer to an order that was told already leaves no row: whatever tells of it first says that it was taken. */
  #prove(intentId: string): void {
    const intent = this.#intents.get(intentId);
    if (intent === undefined || this.#proved.has(intentId)) return;
    this.#proved.add(intentId);
    this.#taken.set(intent.strategy, modeOf(intent));
    if (modeOf(intent) === this.#refusedMode) this.#shutUntil = 0;
  }

  #refused(intentId: string): void {
    const intent = this.#intents.get(intentId);
    if (intent === undefined || this.#taken.get(intent.strategy) !== modeOf(intent)) return;
    this.#deps.rare.mark('position mode seen by a refusal');
    this.#untold = intentId;
    this.#refusedMode = modeOf(intent);
    this.#shutUntil = this.#deps.now() + SHUT_MS;
  }
}

function modeOf({ order }: CreateIntentEntry): string {
  return (order.positionSide ?? 'both') === 'both' ? 'one-way' : 'hedge';
}
