/** `--lockbox PCT`: the part of the data's end that is kept. */
import { LOCKBOX_SHARE } from '../../research/lockbox.ts';
import { sessionErrors } from '../../session/errors.ts';

export const LOCKBOX_HELP = `per cent at the end of the data that are reserved for the final test; ${100 * LOCKBOX_SHARE} by default`;

/** A share. @throws `bad_option` */
export function lockboxOption(text: string | undefined): number {
  const share = text === undefined ? LOCKBOX_SHARE : Number(text) / 100;
  if (share > 0 && share <= 0.5) return share;
  const message = `--lockbox ${text} is not a percentage above 0 and up to 50`;
  throw sessionErrors.make('bad_option', message, { option: 'lockbox' });
}
