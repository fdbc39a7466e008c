/** Streams that a strategy subscribed to and that its data can never emit (docs/strategy.md, "Streams"). */

/** A sentence each. `asked`: such as `top BTCUSDT`. */
export function silentStreamWarnings(
  asked: Iterable<string>,
  { depth, quotes, trades }: { readonly depth: number; readonly quotes: number; readonly trades: number },
): readonly string[] {
  const silent = (name: string | undefined): boolean => (name === 'trades' ? trades === 0 : depth + quotes === 0);
  return [...asked].flatMap((stream) => {
    const [name, symbol] = stream.split(' ');
    if (!silent(name)) return [];
    const lacks = name === 'trades' ? 'trades' : 'order book';
    return [`market.${name}('${symbol}') never emits here: the data has no ${lacks}; on bars take market.candles`];
  });
}
