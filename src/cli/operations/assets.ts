/** What the exchange lists of its currencies, to check input before anything is sent. Without the list nothing is refused. */
import type { Asset } from '../../exchange/wire/market/dictionaries.ts';
import { dec } from '../../model/numbers/money.ts';
import { nearest } from '../../model/text/nearest.ts';
import { refusedBeforehand } from '../../operations/exchange/answers.ts';
import { cliErrors } from '../errors.ts';
import type { OpenExchange } from './open-exchange.ts';

/** Empty where the key may not read it (category `dictionary`). */
export async function readAssets({ exchange }: OpenExchange): Promise<readonly Asset[]> {
  const answer = await exchange.money.dictionaries.assets();
  return answer.kind === 'value' ? answer.value : [];
}

/** `held`: currencies of balances. Throws `operation_invalid` for one that is neither listed nor held. */
export function requireCurrency(assets: readonly Asset[], currency: string, held: readonly string[]): void {
  const known = new Set([...assets.map((asset) => asset.currency), ...held]);
  if (assets.length === 0 || known.has(currency)) return;
  const [near] = nearest(currency, known);
  const hint = near === undefined ? '`tidewire account assets` lists them' : `did you mean ${near}?`;
  const message = `there is no currency ${currency} at this exchange; ${hint}`;
  throw cliErrors.make('operation_invalid', message, { option: 'currency' });
}

interface Amount {
  readonly currency: string;
  readonly amount: string;
}

/** `beside`: amounts at the exchange that are as fine. Throws `operation_refused`. */
export function requirePlaces(
  assets: readonly Asset[],
  what: string,
  { currency, amount }: Amount,
  beside: readonly string[] = [],
): void {
  const precision = assets.find((asset) => asset.currency === currency)?.precision;
  if (precision === undefined) return;
  const most = Math.max(precision, ...beside.map((text) => dec(text).decimalPlaces()));
  if (dec(amount).decimalPlaces() <= most) return;
  const message = `${amount} ${currency} has more decimals than the ${precision} that the exchange lists for ${currency}`;
  throw refusedBeforehand(what, 'bad_request', message, 'amount');
}
