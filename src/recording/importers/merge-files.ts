/** Merges files by receive time; memory is one batch a file. */
import type { ImportedFrame, InputFile } from './input-file.ts';

export interface MergedFrame extends ImportedFrame {
  /** Index of the file. */
  readonly input: number;
}

class Head {
  readonly input: number;
  readonly #batches: AsyncGenerator<readonly ImportedFrame[]>;
  #batch: readonly ImportedFrame[] = [];
  #at = 0;

  constructor(file: InputFile, input: number) {
    this.input = input;
    this.#batches = file.frames();
  }

  get frame(): ImportedFrame | undefined {
    return this.#batch[this.#at];
  }

  /** The next frame needs no waiting. */
  step(): boolean {
    this.#at++;
    return this.#at < this.#batch.length;
  }

  async refill(): Promise<void> {
    const next = await this.#batches.next();
    this.#batch = next.done === true ? [] : next.value;
    this.#at = 0;
  }
}

/** By receive time, then file. */
export async function* mergeFiles(files: readonly InputFile[]): AsyncGenerator<readonly MergedFrame[]> {
  const heads = files.map((file, input) => new Head(file, input));
  for (const head of heads) await head.refill();
  let out: MergedFrame[] = [];
  for (let head = earliest(heads); head !== null; head = earliest(heads)) {
    const frame = head.frame;
    if (frame !== undefined) out.push({ receiveUs: frame.receiveUs, text: frame.text, input: head.input });
    if (head.step()) continue;
    yield out;
    out = [];
    await head.refill();
  }
  if (out.length > 0) yield out;
}

function earliest(heads: readonly Head[]): Head | null {
  let best: Head | null = null;
  let bestUs = Infinity;
  for (const head of heads) {
    const us = head.frame?.receiveUs ?? Infinity;
    if (us < bestUs) {
      best = head;
      bestUs = us;
    }
  }
  return best;
}
