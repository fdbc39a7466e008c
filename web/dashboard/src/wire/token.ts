/** The token of the link (`#token=…`): taken out of the address bar before anything else is done with it. */
const PREFIX = '#token=';

export function takeToken(): string | null {
  if (!location.hash.startsWith(PREFIX)) return null;
  const token = location.hash.slice(PREFIX.length).split('&')[0] ?? '';
  history.replaceState(null, '', location.pathname);
  dispatchEvent(new HashChangeEvent('hashchange'));
  return decodeURIComponent(token);
}
