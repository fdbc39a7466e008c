/** Base and quote from a symbol's name, for imports. */

const QUOTES = ['USDT', 'USDC', 'FDUSD', 'TUSD', 'BUSD', 'USD', 'EUR', 'GBP', 'TRY', 'RUB', 'JPY', 'BTC', 'ETH', 'BNB'];

/** `BTCUSDT` → BTC, USDT; `BTC-PERP`, `BTC-PERPETUAL` → BTC, USD; unknown: name, USD. */
export function splitSymbol(symbol: string): { readonly base: string; readonly quote: string } {
  const bare = symbol.toUpperCase().replace(/[-_/]?(PERPETUAL|PERP|SWAP)$/, '');
  const separated = /^([A-Z0-9]+)[-_/]([A-Z0-9]+)$/.exec(bare);
  if (separated?.[1] !== undefined && separated[2] !== undefined) return { base: separated[1], quote: separated[2] };
  const quote = QUOTES.find((name) => bare.endsWith(name) && bare.length > name.length);
  return quote === undefined ? { base: bare, quote: 'USD' } : { base: bare.slice(0, -quote.length), quote };
}
