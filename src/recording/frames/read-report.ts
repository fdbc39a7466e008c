/** Losses while reading. `lostFramesKnown` false: more than `lostFrames` is possible. */

const MAX_PROBLEMS = 100;

export class ReadReport {
  frames = 0;
  blocks = 0;
  /** Of the segment files. */
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

  /** `MAX_PROBLEMS`, then a count. */
  listed(): readonly string[] {
    return this.#unlisted === 0 ? [...this.problems] : [...this.problems, `and ${this.#unlisted} more problems`];
  }
}
