/**
 * What reading a recording found and what it lost. Loss is never silent and never guessed: `lostFrames` counts frames
 * whose number is known from block headers and the manifest; `lostFramesKnown` is false when more may be missing.
 */

const MAX_PROBLEMS = 100;

export class ReadReport {
  frames = 0;
  blocks = 0;
  /** Bytes of the segment files. */
  bytes = 0;
  lostFrames = 0;
  lostBytes = 0;
  lostFramesKnown = true;
  readonly problems: string[] = [];
  #unlisted = 0;

  problem(text: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(text);
    else this.#unlisted++;
  }

  get damaged(): boolean {
    return this.problems.length > 0;
  }

  /** The problems, at most a hundred and a count of the others. */
  listed(): readonly string[] {
    return this.#unlisted === 0 ? [...this.problems] : [...this.problems, `and ${this.#unlisted} more problems`];
  }
}
