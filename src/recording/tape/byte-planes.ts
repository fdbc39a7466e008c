/**
 * A column of numbers as byte planes, the form in which a tape is stored (docs/tape.md):
 *
 *   width u8 │ base f64 │ planes: the lowest bytes of all numbers, then the second lowest, …
 *
 *   0 to 7   integers: zigzag of the difference to the one before (of the first: to the base), that many bytes each
 *   8        anything else: the eight bytes of each double
 *
 * Exact for every double, NaN and −0 included.
 */

const HEAD_BYTES = 9;
/** Smaller differences keep their zigzag below 2^53. */
const DIFFERENCE_MAX = 2 ** 52;
const LOW = 2 ** 32;
const RAW = 8;

/** Collects columns into one reused buffer. */
export class PlaneWriter {
  #bytes = Buffer.alloc(0);
  #at = 0;
  #zigzags = new Float64Array(0);

  numbers(column: ArrayLike<number>, count: number): void {
    this.#reserve(HEAD_BYTES + RAW * count);
    if (this.#zigzags.length < count) this.#zigzags = new Float64Array(count);
    const base = count > 0 ? column[0]! : 0;
    const width = zigzag(column, count, this.#zigzags);
    this.#bytes.writeUInt8(width, this.#at);
    this.#bytes.writeDoubleLE(width === RAW ? 0 : base, this.#at + 1);
    this.#at += HEAD_BYTES;
    if (width === RAW) this.#doubles(column, count);
    else this.#planes(width, count);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Valid until the next call; empties the writer. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#at);
    this.#at = 0;
    return taken;
  }

  #planes(width: number, count: number): void {
    const bytes = this.#bytes;
    const zigzags = this.#zigzags;
    for (let plane = 0; plane < width; plane++) {
      const unit = 2 ** (8 * plane);
      const from = this.#at + plane * count;
      for (let row = 0; row < count; row++) bytes[from + row] = (zigzags[row]! / unit) & 255;
    }
    this.#at += width * count;
  }

  #doubles(column: ArrayLike<number>, count: number): void {
    const doubles = Float64Array.from({ length: count }, (_, row) => column[row]!);
    const source = new Uint8Array(doubles.buffer);
    for (let plane = 0; plane < RAW; plane++) {
      const from = this.#at + plane * count;
      for (let row = 0; row < count; row++) this.#bytes[from + row] = source[row * RAW + plane]!;
    }
    this.#at += RAW * count;
  }

  #reserve(extra: number): void {
    const needed = this.#at + extra;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.alloc(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = grown;
  }
}

/** Returns the width in bytes; 8 unless all differences are such integers. */
function zigzag(column: ArrayLike<number>, count: number, zigzags: Float64Array): number {
  let largest = 0;
  let previous = count > 0 ? column[0]! : 0;
  for (let row = 0; row < count; row++) {
    const value = column[row]!;
    const difference = value - previous;
    const fits = difference < DIFFERENCE_MAX && difference > -DIFFERENCE_MAX;
    if (!fits || !Number.isSafeInteger(value) || Object.is(value, -0)) return RAW;
    const coded = difference < 0 ? -2 * difference - 1 : 2 * difference;
    zigzags[row] = coded;
    if (coded > largest) largest = coded;
    previous = value;
  }
  let width = 0;
  while (largest >= 2 ** (8 * width)) width++;
  return width;
}

/** Reads columns in the order written. */
export class PlaneReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** @throws RangeError when the bytes end early or are no column */
  numbers(into: Float64Array, count: number): void {
    const bytes = this.#bytes;
    const width = bytes.readUInt8(this.#at);
    const base = bytes.readDoubleLE(this.#at + 1);
    const from = this.#at + HEAD_BYTES;
    this.#at = from + width * count;
    if (width > RAW || this.#at > bytes.length) throw new RangeError('a column ends early');
    if (width === 0) into.fill(base, 0, count);
    else if (width === 1) oneByte(bytes, from, count, base, into);
    else if (width === 2) twoBytes(bytes, from, count, base, into);
    else if (width === 3) threeBytes(bytes, from, count, base, into);
    else if (width === 4) fourBytes(bytes, from, count, base, into);
    else if (width < RAW) sevenBytes(bytes, from, count, width, base, into);
    else doubles(bytes, from, count, into);
  }

  bytes(into: Uint8Array): void {
    const end = this.#at + into.length;
    if (end > this.#bytes.length) throw new RangeError('a column ends early');
    into.set(this.#bytes.subarray(this.#at, end));
    this.#at = end;
  }
}

// One loop a width keeps positions in registers.

function oneByte(bytes: Buffer, from: number, count: number, base: number, into: Float64Array): void {
  let value = base;
  for (let row = 0; row < count; row++) {
    const coded = bytes[from + row]!;
    value += (coded >>> 1) ^ -(coded & 1);
    into[row] = value;
  }
}

function twoBytes(bytes: Buffer, from: number, count: number, base: number, into: Float64Array): void {
  const second = from + count;
  let value = base;
  for (let row = 0; row < count; row++) {
    const coded = bytes[from + row]! | (bytes[second + row]! << 8);
    value += (coded >>> 1) ^ -(coded & 1);
    into[row] = value;
  }
}

function threeBytes(bytes: Buffer, from: number, count: number, base: number, into: Float64Array): void {
  const second = from + count;
  const third = second + count;
  let value = base;
  for (let row = 0; row < count; row++) {
    const coded = bytes[from + row]! | (bytes[second + row]! << 8) | (bytes[third + row]! << 16);
    value += (coded >>> 1) ^ -(coded & 1);
    into[row] = value;
  }
}

function fourBytes(bytes: Buffer, from: number, count: number, base: number, into: Float64Array): void {
  const second = from + count;
  const third = second + count;
  const fourth = third + count;
  let value = base;
  for (let row = 0; row < count; row++) {
    const low = bytes[from + row]! | (bytes[second + row]! << 8) | (bytes[third + row]! << 16);
    const coded = low | (bytes[fourth + row]! << 24);
    value += (coded >>> 1) ^ -(coded & 1);
    into[row] = value;
  }
}

function sevenBytes(bytes: Buffer, from: number, count: number, width: number, base: number, into: Float64Array): void {
  let value = base;
  for (let row = 0; row < count; row++) {
    const at = from + row;
    const low =
      (bytes[at]! | (bytes[at + count]! << 8) | (bytes[at + 2 * count]! << 16) | (bytes[at + 3 * count]! << 24)) >>> 0;
    let high = bytes[at + 4 * count]!;
    if (width > 5) high |= bytes[at + 5 * count]! << 8;
    if (width > 6) high |= bytes[at + 6 * count]! << 16;
    const isBelow = low & 1;
    const half = (high * LOW + low - isBelow) / 2;
    value += isBelow === 1 ? -half - 1 : half;
    into[row] = value;
  }
}

function doubles(bytes: Buffer, from: number, count: number, into: Float64Array): void {
  const halves = new Uint32Array(into.buffer, into.byteOffset, count * 2);
  const fifth = from + 4 * count;
  for (let row = 0; row < count; row++) {
    halves[2 * row] = fourPlanes(bytes, from + row, count);
    halves[2 * row + 1] = fourPlanes(bytes, fifth + row, count);
  }
}

/** `count` is the plane distance. */
function fourPlanes(bytes: Buffer, at: number, count: number): number {
  const low = bytes[at]! | (bytes[at + count]! << 8);
  return low | (bytes[at + 2 * count]! << 16) | (bytes[at + 3 * count]! << 24);
}
