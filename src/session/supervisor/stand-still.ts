/**
 * For how long a beat has stayed away, by a clock that only counts while the one who looks lives too: a machine that slept
 * or a process that was stopped as a whole has not stood still. Pure; of the supervisor's threads.
 */
export class StandStill {
  readonly #gapMsMax: number;
  #beat: number;
  #lookedAt: number;
  #livedMs = 0;
  #stoodMs = 0;

  /** `gapMsMax`: the most that may lie between two looks of somebody who lives. */
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

  /** Since the last look that found another beat. */
  get stoodMs(): number {
    return this.#stoodMs;
  }

  /** Since the first look. */
  get livedMs(): number {
    return this.#livedMs;
  }
}
