/** Overdraft interest of a live session, read at its end. */
import type { Exchange } from '../../exchange/exchange.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { Clock, Logger } from '../../model/ports.ts';

/** Decimal text by currency. */
export type ChargedInterest = Readonly<Record<string, string>>;

/** The end of a session does not wait longer for it. */
const WAIT_MS = 3_000;

/** Unix ms. Null when incomplete, or not answered in time. */
export async function readOverdraftInterest(
  { exchange: { money }, clock }: { readonly exchange: Pick<Exchange, 'money'>; readonly clock: Clock },
  { from, to }: { readonly from: number; readonly to: number },
  logger: Logger,
): Promise<ChargedInterest | null> {
  const filter = { type: 'overdraft_interest', status: 'completed', from, to } as const;
  const late = Promise.withResolvers<{ readonly kind: 'late'; readonly reason: string }>();
  const cancelLate = clock.after(WAIT_MS, () => late.resolve({ kind: 'late', reason: `no answer in ${WAIT_MS} ms` }));
  const reading = await Promise.race([money.transfers.transactions(filter), late.promise]).finally(cancelLate);
  if (reading.kind !== 'complete') {
    logger.warn({ reason: reading.reason }, 'interest on the overdraft could not be read; the result has none');
    return null;
  }
  const charged: Record<string, string> = {};
  for (const { currency, amount } of reading.items)
    charged[currency] = decimalText(dec(charged[currency] ?? '0').plus(amount));
  return charged;
}
