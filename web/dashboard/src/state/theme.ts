/** Light, dark, or as the system says; charts redraw when `scheme` changes. */
import { computed, effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'tidewire.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(system.matches);
system.addEventListener('change', () => (systemIsDark.value = system.matches));

function saved(): Theme {
  const text = localStorage.getItem(KEY);
  return text === 'light' || text === 'dark' ? text : 'system';
}

export const theme = signal<Theme>(saved());
export const scheme = computed<'light' | 'dark'>(() =>
  theme.value === 'system' ? (systemIsDark.value ? 'dark' : 'light') : theme.value,
);

export function switchTheme(): void {
  theme.value = scheme.value === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEY, theme.value);
}

export function setTheme(wanted: Theme): void {
  theme.value = wanted;
  if (wanted === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, wanted);
}

export function startTheme(): () => void {
  return effect(() => {
    document.documentElement.dataset['scheme'] = scheme.value;
  });
}
