/** Where a market maker rests on a grid that is coarser than the core's: on a multiple of its steps, behind the other side. */

export function clearTicks(
  { bidTicks, askTicks }: { readonly bidTicks: number; readonly askTicks: number },
  side: 'buy' | 'sell',
  ticks: number,
  steps: number,
): number {
  // The desk itself stays behind the other side, by one of the core's steps.
  if (steps === 1) return ticks;
  if (side === 'sell') return Math.ceil(Math.max(ticks, bidTicks + 1) / steps) * steps;
  return Math.floor(Math.min(ticks, askTicks === 0 ? ticks : askTicks - 1) / steps) * steps;
}
