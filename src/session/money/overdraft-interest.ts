/** Overdraft interest of a live session, read at its end. */
import type { Exchange } from '../../exchange/exchange.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { Logger } from '../../model/ports.ts';

/** Decimal text by currency. */
export type ChargedInterest = Readonly<Record<string, string>>;

/** Unix ms. Null when incomplete. */
export async function readOverdraftInterest(
  { money }: Pick<Exchange, 'money'>,
  { from, to }: { readonly from: number; readonly to: number },
  logger: Logger,
): Promise<ChargedInterest | null> {
  const filter = { type: 'overdraft_interest', status: 'completed', from, to } as const;
  const reading = await money.transfers.transactions(filter);
  if (reading.kind !== 'complete') {
    logger.warn({ reason: reading.reason }, 'interest on the overdraft could not be read; the result has none');
    return null;
  }
  const charged: Record<string, string> = {};
  for (const { currency, amount } of reading.items)
    charged[currency] = decimalText(dec(charged[currency] ?? '0').plus(amount));
  return charged;
}
