/** Keys that do something now: a screen adds its own while it is shown. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

export interface Key {
  /** As `KeyboardEvent.key`. */
  readonly key: string;
  readonly about: string;
  readonly group: string;
  readonly run: () => void;
}

export const keys = signal<readonly Key[]>([]);
export const isHelpOpen = signal(false);

export function useKeys(wanted: readonly Key[], deps: readonly unknown[] = []): void {
  useEffect(() => {
    keys.value = [...keys.peek(), ...wanted];
    return () => {
      keys.value = keys.peek().filter((each) => !wanted.includes(each));
    };
  }, [...deps]);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

export function startKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const found = keys.peek().findLast(({ key }) => key === event.key);
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
