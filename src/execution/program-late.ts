/** Whether a trigger fires that the price has passed while nobody looked, and by how much. */
import type { Instrument } from '../model/instrument.ts';
import type { Step } from '../programs/rule.ts';

/** `before`: without a price; `mid` in ticks. Null: it does not fire, or is in time. */
export function lateText(
  instrument: Instrument,
  ref: string,
  before: Step<unknown>,
  now: Step<unknown>,
  mid: number,
): string | null {
  if (before.trigger === undefined || now.data === before.data) return null;
  if (now.wants.every(({ ticks }) => ticks !== 0) || before.wants.some(({ ticks }) => ticks === 0)) return null;
  const beyond = instrument.priceText(Math.round(Math.abs(mid - before.trigger)));
  const at = instrument.priceText(Math.round(before.trigger));
  return `${ref} fires ${beyond} beyond its trigger ${at}, which was passed while nobody looked`;
}
