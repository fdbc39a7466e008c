/**
 * Number columns as base64 of 32-bit steps, read by `web/report/frame.js`. Error: half a step, a 4-billionth of the
 * range.
 */
export interface Packed {
  readonly low: number;
  readonly step: number;
  /** Unsigned 32-bit, little-endian, base64. */
  readonly data: string;
}

const STEPS = 2 ** 32 - 1;

/** `stepMin`: needed resolution (1 for times in ms). */
export function pack(values: readonly number[], stepMin = 0): Packed {
  const low = values.reduce((least, value) => Math.min(least, value), values[0] ?? 0);
  const high = values.reduce((most, value) => Math.max(most, value), low);
  const step = Math.max(stepMin, (high - low) / STEPS) || 1;
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) {
    bytes.writeUInt32LE(Math.min(STEPS, Math.round((value - low) / step)), index * 4);
  }
  return { low, step, data: bytes.toString('base64') };
}
