/** Amounts that a command chooses by what its user has: a little, a part, all, more than there is, nothing, too fine. */
import fc from 'fast-check';
import { amount, amountText, type Amount } from './amount.ts';

export const amountChoice = fc.constantFrom(
  'some' as const,
  'some' as const,
  'half' as const,
  'half' as const,
  'all' as const,
  'over' as const,
  'some' as const,
  'half' as const,
  'all' as const,
  'zero' as const,
  'fine' as const,
);
export type AmountChoice = typeof amountChoice extends fc.Arbitrary<infer Choice> ? Choice : never;

const some: Readonly<Record<string, string>> = { BTC: '0.75', ETH: '12.5', USDT: '1234.56', RUB: '54321' };
/** Finer than any ledger of fixed precision can hold beside a large balance. */
export const TOO_FINE = `0.${'0'.repeat(79)}1`;

export function chosenText(choice: AmountChoice, currency: string, available: Amount, places: number): string {
  const unit = amount(`0.${'0'.repeat(places - 1)}1`);
  switch (choice) {
    case 'some':
      return some[currency] ?? '1';
    case 'half':
      return amountText((available / 2n / unit) * unit);
    case 'all':
      return amountText(available);
    case 'over':
      return amountText((available / unit) * unit + unit);
    case 'zero':
      return '0';
    case 'fine':
      return TOO_FINE;
  }
}

/** Why an amount is no good, whatever the balance. `places` null: as fine as one likes. */
export function doubtAmount(text: string, places: number | null): string[] {
  if (text === TOO_FINE) return ['bad_request'];
  if (amount(text) === 0n) return ['below_minimum', 'bad_request'];
  const fraction = text.split('.')[1] ?? '';
  return places !== null && fraction.length > places ? ['bad_request'] : [];
}
