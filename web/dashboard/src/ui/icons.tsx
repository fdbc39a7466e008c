/** Line icons of 16 px, as paths. */
import type { VNode } from 'preact';

const PATHS = {
  sun: 'M8 1v2M8 13v2M1 8h2M13 8h2M3 3l1.4 1.4M11.6 11.6L13 13M3 13l1.4-1.4M11.6 4.4L13 3M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
  moon: 'M13.5 9.5A6 6 0 1 1 6.5 2.5a5 5 0 0 0 7 7z',
  keyboard: 'M1.5 4h13v8h-13zM4 6.5h.01M6.7 6.5h.01M9.3 6.5h.01M12 6.5h.01M4.5 9.5h7',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  warn: 'M8 2l6.5 11.5h-13zM8 6.5v3.5M8 12h.01',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1.2 1.5H2.8zM6.7 14.2h2.6',
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }): VNode {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Logo(): VNode {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <path
        d="M4 20c4 0 4-8 8-8s4 8 8 8 4-8 8-8"
        fill="none"
        stroke="var(--on-accent)"
        stroke-width="3"
        stroke-linecap="round"
      />
    </svg>
  );
}
