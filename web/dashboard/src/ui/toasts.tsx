/** What commands did. */
import type { VNode } from 'preact';
import { dismiss, toasts } from '../state/toasts.ts';
import { Icon } from './icons.tsx';

export function Toasts(): VNode {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isBad = false }) => (
        <div key={id} class={`toast ${isBad ? 'bad' : ''}`}>
          <span>{text}</span>
          <button type="button" class="icon-button push" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
