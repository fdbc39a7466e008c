/** One answer of the API for a screen: loading, there, or failed; read again on demand. */
import { useEffect, useState } from 'preact/hooks';
import { ApiError, read } from '../wire/api.ts';

export type Resource<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'there'; readonly value: T }
  | { readonly state: 'failed'; readonly error: ApiError };

/** `path` null: nothing is asked for yet. `again` changes to read it anew; the old answer stays until the new one is there. */
export function useResource<T>(
  path: string | null,
  query: Readonly<Record<string, string | number>> = {},
  again: unknown = 0,
): Resource<T> {
  const [resource, setResource] = useState<{ readonly key: string; readonly of: Resource<T> }>({
    key: '',
    of: { state: 'loading' },
  });
  const key = `${path ?? ''} ${JSON.stringify(query)}`;
  useEffect(() => {
    if (path === null) return undefined;
    const stop = new AbortController();
    setResource((held) => (held.key === key ? held : { key, of: { state: 'loading' } }));
    read<T>(path, query, stop.signal).then(
      (value) => setResource({ key, of: { state: 'there', value } }),
      (thrown: unknown) => {
        if (thrown instanceof ApiError) setResource({ key, of: { state: 'failed', error: thrown } });
      },
    );
    return () => stop.abort();
  }, [key, again]);
  return resource.key === key ? resource.of : { state: 'loading' };
}
