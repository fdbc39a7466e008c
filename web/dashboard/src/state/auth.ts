/** Whether the server lets this browser in: by the link's token once, by the cookie afterwards. */
import { signal } from '@preact/signals';
import { ApiError, signIn } from '../wire/api.ts';
import { takeToken } from '../wire/token.ts';
import { readFleet, fleetError } from './fleet.ts';

export type Entry = 'asking' | 'in' | 'out';

export const entry = signal<Entry>('asking');
/** Why the link was not accepted. */
export const refusal = signal<string | null>(null);

const FORBIDDEN = [401, 403];

export async function enter(): Promise<void> {
  const token = takeToken();
  try {
    if (token !== null) await signIn(token);
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    refusal.value = thrown.message;
  }
  await readFleet();
  entry.value = FORBIDDEN.includes(fleetError.peek()?.status ?? 0) ? 'out' : 'in';
}
