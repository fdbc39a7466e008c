/**
 * After a death the next process finds an older journal, or none (reliability §4.3, 11 and §4.4):
 *
 *   journal-restored  a backup, put back by `tidewire journal restore`: marked, so the process is in amnesia
 *   journal-copied    an older state, put back as if nothing had been: of the journal, or of the whole folder
 *   journal-cut       the last rows are gone, as from a disk that said that they were durable
 *   journal-lost      no journal at all
 *
 * The last three meet the witness of the journal (`journal/files/witness.ts`), which is up to a second behind it: what it knows of
 * has to put the process into amnesia. Of an older copy of the whole folder, with a witness as old, nothing tells.
 *
 * The human of the world does what the product asks for: lets a restored session compare itself with the exchange, stops it,
 * acknowledges, starts it again.
 */
import { rewoundBecause, rewoundEntry, testimonyOf, witnessText } from '../../../src/journal/files/witness.ts';
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import type { Disk } from './disk.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Laws } from './laws.ts';
import type { Process } from './process.ts';
import type { RareStates } from './rare-states.ts';
import type { Trace } from './trace.ts';
import type { VenueSide } from './venue-side.ts';

const BACKUP: JournalEntry = {
  kind: 'restored',
  event: 'restored',
  reason: 'restored from a backup: later rows are unknown here',
};

const APPENDS_CUT_MAX = 20;
/** A session that trades tells its witness once a second. */
const TOLD_MS = 1_000;
/** An older copy is of the whole folder, with its witness. */
const WHOLE_SHARE = 0.5;
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
  #waitsForWord = false;

  constructor(options: OlderJournalOptions) {
    this.#options = options;
  }

  /** The journal is a backup, or less than its witness knows, and nobody has said that it may trade again. */
  get waitsForWord(): boolean {
    return this.#waitsForWord;
  }

  /** Nothing runs, and a process is about to start. */
  beforeStart(): void {
    const { clock, disk, plan, rare } = this.#options;
    const had = disk.rows.length;
    if (had === 0) return;
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
      this.#cut(disk.rowsAt(copiedMs), plan.between(0, 1) < WHOLE_SHARE ? 'whole folder' : 'unmarked');
    } else if (plan.strikes('journal-cut')) {
      rare.mark('end of the journal lost');
      this.#cut(disk.rowsWithout(Math.ceil(plan.between(0, APPENDS_CUT_MAX))), 'unmarked');
    }
  }

  /** The session before ended clean: the next start begins another one, with a journal of its own. */
  beginsAnew(): void {
    const { disk, trace, clock, laws, rare } = this.#options;
    const had = disk.rows.length;
    disk.cutTo(0);
    this.#waitsForWord = false;
    laws.rewound([], 'marked');
    rare.mark('session after a clean end');
    trace.add(clock.nowUs(), `${OLDER_JOURNAL}0 of ${had} rows, of another session`);
  }

  /** The process has been told of lost rows by an order that it met. */
  said(entries: readonly JournalEntry[]): void {
    if (!entries.some((entry) => entry.kind === 'restored' && entry.event === 'rewound')) return;
    this.#options.rare.mark('lost rows that an order told of');
    this.#waitsForWord = true;
  }

  /** Whether it is time to give the word; the caller stops the process first. */
  wantsWord(process: Process | null): boolean {
    const { clock, plan } = this.#options;
    if (process === null || !this.#waitsForWord || !process.hasStarted) {
      this.#seen = null;
      return false;
    }
    if (this.#seen?.process !== process) {
      this.#seen = { process, sinceUs: clock.nowUs() };
      this.#lookUs = 1000 * (plan.isOn ? plan.between(LOOK_MS_MIN, LOOK_MS_MAX) : LOOK_CALM_MS);
    }
    // When nothing fails any more the time to agree runs, and it is not the human's.
    const lookUs = plan.isOn ? this.#lookUs : Math.min(this.#lookUs, LOOK_CALM_MS * 1000);
    return clock.nowUs() >= this.#seen.sinceUs + lookUs;
  }

  /** `tidewire journal acknowledge`, on the stopped session. */
  acknowledge(): void {
    this.#options.rare.mark('restore acknowledged');
    this.#write({ kind: 'restored', event: 'acknowledged', reason: 'the simulated human compared it' });
    this.#waitsForWord = false;
  }

  #cut(rows: number, put: 'marked' | 'unmarked' | 'whole folder'): void {
    const { disk, trace, clock, laws, rare } = this.#options;
    const had = disk.rows.length;
    // Told a second before the last append at the latest.
    const told = put === 'whole folder' ? 0 : disk.rowsAt((disk.rows.at(-1)?.ts ?? 0) - TOLD_MS);
    const testimony = testimonyOf(witnessText({ seq: told, hash: disk.hashOf(told) ?? '' }));
    disk.cutTo(rows);
    const because = rewoundBecause(testimony, rows, (seq) => disk.hashOf(seq));
    // Before the laws look: it says so in its first row.
    const says = put === 'marked' ? BACKUP : because === null ? null : rewoundEntry(because);
    if (says !== null) this.#write(says);
    // By what was told, and not by what was made of it.
    const isNoticed = told > rows;
    if (put !== 'marked') rare.mark(isNoticed ? 'lost rows that the witness knew' : 'lost rows that no witness knew');
    this.#waitsForWord = isNoticed || isAmnesiac(disk);
    // An earlier row of that kind says nothing of the rows that were lost now.
    const mark = says === null ? 'unmarked' : 'marked';
    laws.rewound(disk.rows, mark);
    trace.add(clock.nowUs(), `${OLDER_JOURNAL}${rows} of ${had} rows, ${mark}`);
  }

  #write(entry: JournalEntry): void {
    const { disk, trace, clock } = this.#options;
    disk.write(entry);
    trace.add(clock.nowUs(), `journal ${JSON.stringify([entry])}`);
  }
}

function isAmnesiac({ rows }: Disk): boolean {
  const last = rows.findLast(({ entry }) => entry.kind === 'restored')?.entry;
  return last?.kind === 'restored' && last.event !== 'acknowledged';
}
