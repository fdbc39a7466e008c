/** Symbol records for valuing fills, else guessed from names and fee currencies. */
import type { ResultDocument } from '../../session/result/result.ts';
import type { SymbolRecord } from '../../statistics/inputs.ts';

export function symbolsOf(result: ResultDocument): Record<string, SymbolRecord> {
  const symbols: Record<string, SymbolRecord> = {};
  for (const instrument of result.instruments) symbols[instrument.symbol] = instrument;
  for (const { symbol } of result.fills) symbols[symbol] ??= guess(symbol, result.currency);
  return symbols;
}

/** `BTCUSDT` reported in USDT is BTC in USDT. */
function guess(symbol: string, currency: string): SymbolRecord {
  const named = symbol.endsWith(currency);
  const base = named ? symbol.slice(0, symbol.length - currency.length).replace(/[-_/]$/, '') : symbol;
  return { base, quote: currency, market: 'spot', lotSize: '0' };
}
