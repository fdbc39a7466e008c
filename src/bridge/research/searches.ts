/** Searches by their progress files: those that run in any process of this machine, and those that have run. */
import { isProcess } from '../../session/store/is-process.ts';
import { progressFilesIn, readProgress, type ProgressFile } from '../../research/sweep/progress/progress-file.ts';
import { stateOf, sweepSoFar, type SweepSoFar } from '../../research/sweep/progress/so-far.ts';
import type { ResultRow } from '../schemas/research.ts';

/** A larger one is not read. */
const BYTES_MAX = 64 * 1_048_576;

interface Known {
  readonly at: number;
  readonly bytes: number;
  readonly pid: number;
  readonly soFar: SweepSoFar;
}

export class Searches {
  readonly #folders: readonly string[];
  readonly #known = new Map<string, Known>();

  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** Those whose end no result file in `written`, by study and time, holds. */
  rows(written: ReadonlyMap<string, number>): readonly ResultRow[] {
    return this.#files().flatMap((file) => {
      const soFar = this.#read(file);
      if (soFar === null) return [];
      const isWritten = (written.get(soFar.study) ?? 0) >= soFar.progress.startedAt;
      return isWritten && soFar.progress.state !== 'running' ? [] : [rowOf(file, soFar)];
    });
  }

  /** Null: there is none. */
  find(study: string): SweepSoFar | null {
    const file = this.#files().find((each) => each.study === study);
    return file === undefined ? null : this.#read(file);
  }

  #files(): readonly ProgressFile[] {
    return this.#folders.flatMap(progressFilesIn).filter(({ bytes }) => bytes <= BYTES_MAX);
  }

  /** Read again where the file has grown, or its process has gone. */
  #read(file: ProgressFile): SweepSoFar | null {
    const known = this.#known.get(file.path);
    if (known?.at === file.at && known.bytes === file.bytes) {
      const { state } = known.soFar.progress;
      if (state !== 'running' || isProcess(known.pid)) return known.soFar;
    }
    try {
      const read = readProgress(file.path);
      if (read === null) return null;
      const soFar = sweepSoFar(read, stateOf(read, file.at, isProcess(read.begin.pid)));
      this.#known.set(file.path, { at: file.at, bytes: file.bytes, pid: read.begin.pid, soFar });
      return soFar;
    } catch {
      return null;
    }
  }
}

function rowOf({ study, path, at, bytes }: ProgressFile, soFar: SweepSoFar): ResultRow {
  const { strategy, period, best, warnings, progress } = soFar;
  return {
    id: study,
    kind: 'sweep',
    file: path,
    session: null,
    strategy,
    from: period.from,
    to: period.to,
    at,
    bytes,
    currency: null,
    stats: { ...best?.metrics },
    verdict: null,
    warnings: warnings.length,
    progress,
  };
}
