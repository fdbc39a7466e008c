/** What a human orders of a session that runs (docs/operations.md): to cancel, to close, to limit, and to end a strategy. */
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { dec } from '../../../src/model/numbers/money.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { carryOutCancel, type CancelOrder } from '../../../src/session/controls/cancel-control.ts';
import type { Process } from './process.ts';

const LIMIT = 'risk.maxOrderQuantity';
const LIMITED_TO = '0.02';
const LIMITED_MS_MAX = 120_000;
const WHY = 'the simulated human';

/** `between`: uniform between the two. */
export function commandOf(between: (low: number, high: number) => number, process: Process): void {
  const tag = process.tags[Math.floor(between(0, process.tags.length))] ?? '';
  const [chance, which, forMs] = [between(0, 1), between(0, 1), between(1000, LIMITED_MS_MAX)];
  process.order((engine, now) => {
    const { executor } = engine;
    const cancel = (wanted: CancelOrder): void =>
      carryOutCancel({ executor, strategies: process.tags, logger: silentLogger }, wanted);
    const terms = { id: 'by-hand', reason: WHY, at: now, strategy: tag };
    if (chance < 0.25) executor.submit(tag, { kind: 'flatten' });
    else if (chance < 0.5) cancel({ ...terms, kind: 'cancelAll', symbol: null });
    else if (chance < 0.7) {
      const refs = [...executor.account(tag).openOrders(), ...executor.programs(tag)].map(({ ref }) => ref);
      const ref = refs[Math.floor(which * refs.length)];
      if (ref !== undefined) cancel({ ...terms, kind: 'cancel', ref });
    } else if (chance < 0.95) {
      const until = Math.round(now + forMs);
      executor.human.overrideLimit({ id: `override-${now}`, limit: LIMIT, value: LIMITED_TO, until, reason: WHY });
    } else engine.stopStrategy(tag, 'signal');
  });
}

/** R2 for a limit of a human: nothing that may open exceeds it while it holds. */
export class OverrideLaw {
  readonly #violated: (what: string) => void;
  #until = Number.NEGATIVE_INFINITY;

  constructor(violated: (what: string) => void) {
    this.#violated = violated;
  }

  /** `ts`: Unix ms of the session's clock. */
  row(entry: JournalEntry, ts: number): void {
    if (entry.kind === 'limit-override') this.#until = entry.until;
    if (entry.kind !== 'intent' || entry.command !== 'create' || ts >= this.#until) return;
    const isExit = entry.reduceOnly && entry.newRisk !== true;
    const { quantity } = entry.order;
    if (!isExit && entry.adoptedFrom === undefined && dec(quantity).gt(LIMITED_TO))
      this.#violated(`${entry.ref} is of ${quantity}, and a human has limited orders to ${LIMITED_TO}`);
  }
}
