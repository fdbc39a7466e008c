/** How long a beat has been missing; machine sleep does not count. */
export class StandStill {
  readonly #gapMsMax: number;
  #beat: number;
  #lookedAt: number;
  #livedMs = 0;
  #stoodMs = 0;

  /** `gapMsMax`: between two looks of a running observer. */
  constructor(beat: number, nowMs: number, gapMsMax: number) {
    this.#beat = beat;
    this.#lookedAt = nowMs;
    this.#gapMsMax = gapMsMax;
  }

  look(beat: number, nowMs: number): void {
    const gapMs = Math.min(Math.max(0, nowMs - this.#lookedAt), this.#gapMsMax);
    this.#lookedAt = nowMs;
    this.#livedMs += gapMs;
    this.#stoodMs = beat === this.#beat ? this.#stoodMs + gapMs : 0;
    this.#beat = beat;
  }

  get stoodMs(): number {
    return this.#stoodMs;
  }

  get livedMs(): number {
    return this.#livedMs;
  }
}
