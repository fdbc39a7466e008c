/** All sessions of the machine, read every two seconds while somebody looks. */
import { signal } from '@preact/signals';
import { ApiError, read } from '../wire/api.ts';
import type { SessionList } from '../wire/types.ts';

const EVERY_MS = 2_000;

export const fleet = signal<SessionList | null>(null);
export const fleetError = signal<ApiError | null>(null);
/** When it was last read, by the clock of this machine. */
export const fleetAt = signal<number | null>(null);

export async function readFleet(): Promise<void> {
  try {
    fleet.value = await read<SessionList>('sessions');
    fleetError.value = null;
    fleetAt.value = Date.now();
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    fleetError.value = thrown;
  }
}

export function startFleet(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const turn = async (): Promise<void> => {
    if (document.visibilityState === 'visible') await readFleet();
    if (!isOver) timer = setTimeout(() => void turn(), EVERY_MS);
  };
  void turn();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
