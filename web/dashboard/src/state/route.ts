/** The address in the fragment: `#/session/ID?tab=fills`. The server sees none of it. */
import { computed, signal } from '@preact/signals';

const fragment = signal(location.hash);
addEventListener('hashchange', () => (fragment.value = location.hash));

export interface Route {
  /** First part of the path; `fleet` where there is none. */
  readonly screen: string;
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const route = computed<Route>(() => {
  const [path = '', query = ''] = fragment.value.replace(/^#\/?/, '').split('?');
  const [screen = '', ...parts] = path.split('/').map(decoded);
  return {
    screen: screen === '' ? 'fleet' : screen,
    parts: parts.filter((part) => part !== ''),
    query: new URLSearchParams(query),
  };
});

export function href(
  screen: string,
  parts: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): string {
  const path = [screen, ...parts].map(encodeURIComponent).join('/');
  const search = new URLSearchParams(query).toString();
  return `#/${path}${search === '' ? '' : `?${search}`}`;
}

export function go(to: string): void {
  location.hash = to;
}

/** Changes the address without a step in the history, such as for a slider that moves. */
export function replace(to: string): void {
  history.replaceState(null, '', to);
  fragment.value = to;
}
