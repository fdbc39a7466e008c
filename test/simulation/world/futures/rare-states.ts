/** What seldom happens with a perpetual, and must have happened in a batch of seeds (`rare-states.ts`). */
export const futuresStates = [
  'funding booked',
  'funding received',
  'funding shared by strategies',
  'funding while disconnected',
  'liquidation booked',
  'liquidation of an isolated position',
  'liquidation of a cross position',
  'liquidation while disconnected',
  'liquidation of what was not ours alone',
  'orders cancelled by a liquidation',
  'margin lost to the last',
  'denied: liquidated',
  'both sides of a hedge open',
  'flip in flight',
  'reduce-only refused by the exchange',
  'reduction that the account does not see',
  'position closed by hand',
  'trade by hand in a perpetual booked',
  'flattened while killed',
  'jump of the mark',
] as const;

export type FuturesState = (typeof futuresStates)[number];
