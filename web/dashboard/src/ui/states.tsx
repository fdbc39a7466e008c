/** What a screen shows when there is nothing to show yet, nothing at all, or no answer. */
import type { ComponentChildren, VNode } from 'preact';
import type { ApiError } from '../wire/api.ts';
import type { Resource } from '../state/resource.ts';

export function Loading({ what }: { readonly what: string }): VNode {
  return (
    <div class="loading" role="status">
      <span class="hidden-text">{`Loading ${what}`}</span>
      <i />
      <i />
      <i />
    </div>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

export function Failed({ error, what }: { readonly error: ApiError; readonly what: string }): VNode {
  return (
    <div class="empty" role="alert">
      <strong class="bad">{`${what} cannot be read`}</strong>
      <span>{error.message}</span>
      {error.hint === undefined ? null : <span>{error.hint}</span>}
      <span class="mono">{error.code}</span>
    </div>
  );
}

interface WhenThereProps<T> {
  readonly of: Resource<T>;
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}

export function WhenThere<T>({ of, what, children }: WhenThereProps<T>): VNode {
  if (of.state === 'loading') return <Loading what={what} />;
  if (of.state === 'failed') return <Failed error={of.error} what={what} />;
  return <>{children(of.value)}</>;
}
