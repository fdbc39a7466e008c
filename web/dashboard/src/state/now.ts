/** The time, once a second, for ages that are shown. */
import { signal } from '@preact/signals';

export const now = signal(Date.now());

export function startClock(): () => void {
  const timer = setInterval(() => (now.value = Date.now()), 1_000);
  return () => clearInterval(timer);
}
