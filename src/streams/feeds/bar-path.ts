/** The path of a bar as matching on bars takes it: the nearer extreme first. The volume comes with the close. */
import type { CandleEvent } from '../../model/market/market-event.ts';

export function barPath(
  { open, high, low, close }: CandleEvent,
  volume: number,
  hear: (price: number, quantity: number) => void,
): void {
  const isUpFirst = Math.abs(high - open) <= Math.abs(open - low);
  hear(open, 0);
  hear(isUpFirst ? high : low, 0);
  hear(isUpFirst ? low : high, 0);
  hear(close, volume);
}
