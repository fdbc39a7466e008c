/**
 * After a death the next process finds an older journal, or none (reliability §4.3, 11 and §4.4):
 *
 *   journal-restored  a backup, put back by `tidewire journal restore`: marked, so the process is in amnesia
 *   journal-copied    an older state of the whole folder, put back as if nothing had been: nothing tells
 *   journal-cut       the last rows are gone, as from a disk that said that they were durable
 *   journal-lost      no journal at all
 *
 * The human of the world does what the product asks for: lets a restored session compare itself with the exchange, stops it,
 * acknowledges, starts it again. Spot alone: what a perpetual earned is not told apart by the exchange.
 */
import type { VirtualClock } from '../../../src/simulation/virtual-clock.ts';
import type { Disk } from './disk.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Laws } from './laws.ts';
import type { Process } from './process.ts';
import type { RareStates } from './rare-states.ts';
import type { Trace } from './trace.ts';
import type { VenueSide } from './venue-side.ts';

const APPENDS_CUT_MAX = 20;
/** A human looks at what was compared for so long before the word is given. */
const LOOK_MS_MIN = 45_000;
const LOOK_MS_MAX = 180_000;
const LOOK_CALM_MS = 30_000;

/** In the trace: how many rows are left. */
export const OLDER_JOURNAL = 'older journal: ';

export interface OlderJournalOptions {
  readonly clock: VirtualClock;
  readonly disk: Disk;
  readonly plan: FaultPlan;
  readonly trace: Trace;
  readonly laws: Laws;
  readonly rare: RareStates;
  readonly venue: VenueSide;
}

export class OlderJournal {
  readonly #options: OlderJournalOptions;
  /** The process that was seen to have compared itself, and since when, true time in µs. */
  #seen: { readonly process: Process; readonly sinceUs: number } | null = null;
  #lookUs = 0;
  #isAmnesiac = false;

  constructor(options: OlderJournalOptions) {
    this.#options = options;
  }

  /** The journal is a backup, and nobody has said that it may trade again. */
  get waitsForWord(): boolean {
    return this.#isAmnesiac;
  }

  /** Nothing runs, and a process is about to start. */
  beforeStart(): void {
    const { clock, disk, plan, rare, venue } = this.#options;
    const had = disk.rows.length;
    if (had === 0 || venue.futures !== null) return;
    // Of seconds ago, or from the beginning: a world lasts half an hour.
    const lastMs = clock.nowUs() / 1000;
    const firstMs = disk.rows[0]?.ts ?? lastMs;
    const copiedMs = lastMs - plan.between(0, 1) ** 2 * (lastMs - firstMs);
    if (plan.strikes('journal-lost')) {
      rare.mark('journal lost');
      this.#cut(0, 'unmarked');
    } else if (plan.strikes('journal-restored')) {
      rare.mark('journal restored');
      this.#cut(disk.rowsAt(copiedMs), 'marked');
    } else if (plan.strikes('journal-copied')) {
      rare.mark('older journal put back');
      this.#cut(disk.rowsAt(copiedMs), 'unmarked');
    } else if (plan.strikes('journal-cut')) {
      rare.mark('end of the journal lost');
      this.#cut(disk.rowsWithout(Math.ceil(plan.between(0, APPENDS_CUT_MAX))), 'unmarked');
    }
  }

  /** Whether it is time to give the word; the caller stops the process first. */
  wantsWord(process: Process | null): boolean {
    const { clock, plan } = this.#options;
    if (process === null || !this.#isAmnesiac || !process.hasStarted) {
      this.#seen = null;
      return false;
    }
    if (this.#seen?.process !== process) {
      this.#seen = { process, sinceUs: clock.nowUs() };
      this.#lookUs = 1000 * (plan.isOn ? plan.between(LOOK_MS_MIN, LOOK_MS_MAX) : LOOK_CALM_MS);
    }
    return clock.nowUs() >= this.#seen.sinceUs + this.#lookUs;
  }

  /** `tidewire journal acknowledge`, on the stopped session. */
  acknowledge(): void {
    this.#options.rare.mark('restore acknowledged');
    this.#write('acknowledged', 'the simulated human compared it');
    this.#isAmnesiac = false;
  }

  #cut(rows: number, mark: 'marked' | 'unmarked'): void {
    const { disk, trace, clock, laws } = this.#options;
    const had = disk.rows.length;
    disk.cutTo(rows);
    // Before the laws look: a backup says so in its first row.
    if (mark === 'marked' && rows > 0)
      this.#write('restored', 'restored from a backup: what came after it is unknown here');
    this.#isAmnesiac = isAmnesiac(disk);
    laws.rewound(disk.rows, mark);
    trace.add(clock.nowUs(), `${OLDER_JOURNAL}${rows} of ${had} rows, ${mark}`);
  }

  #write(event: 'restored' | 'acknowledged', reason: string): void {
    const { disk, trace, clock } = this.#options;
    const entry = { kind: 'restored', event, reason } as const;
    disk.write(entry);
    trace.add(clock.nowUs(), `journal ${JSON.stringify([entry])}`);
  }
}

function isAmnesiac({ rows }: Disk): boolean {
  const last = rows.findLast(({ entry }) => entry.kind === 'restored')?.entry;
  return last?.kind === 'restored' && last.event === 'restored';
}
