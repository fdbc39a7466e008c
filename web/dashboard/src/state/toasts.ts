/** Short messages about what a command did. Bad news stays until it is closed. */
import { signal } from '@preact/signals';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad?: boolean;
}

const SHOWN_MS = 6_000;
const SHOWN_MAX = 5;
let count = 0;

export const toasts = signal<readonly Toast[]>([]);

export function toast(message: Omit<Toast, 'id'>): void {
  const id = ++count;
  toasts.value = [...toasts.peek(), { ...message, id }].slice(-SHOWN_MAX);
  if (message.isBad !== true) setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  toasts.value = toasts.peek().filter((each) => each.id !== id);
}
