/** Row type of the endpoint table. */
import type { HttpMethod } from '../../model/ports.ts';
import type { AccessLevel, PermissionCategory } from './permissions.ts';

export type Provenance = 'documented' | 'assumed';

export type EndpointArea =
  | 'identity'
  | 'market-data'
  | 'orders'
  | 'positions'
  | 'account'
  | 'fiat'
  | 'crypto'
  | 'dictionary'
  | 'codes'
  | 'overdraft'
  | 'p2p';

/** What an API key may call; a JWT may call everything. */
export type Access =
  | { readonly kind: 'public' }
  /** API keys get `route not allowed for API key access`. */
  | { readonly kind: 'jwt-only' }
  /** Any active key. */
  | { readonly kind: 'any-key' }
  /** This level or above in one category. */
  | { readonly kind: 'permission'; readonly anyOf: readonly PermissionCategory[]; readonly level: AccessLevel };

export interface EndpointRow {
  readonly name: string;
  readonly method: HttpMethod;
  /** Each of `{params}` is one whole segment. */
  readonly path: string;
  readonly area: EndpointArea;
  readonly access: Access;
  /** `read`: repeatable. */
  readonly effect: 'read' | 'mutating';
  readonly provenance: Provenance;
  readonly purpose: string;
  /** Holds a token, key or code text: never quoted in errors or logs. */
  readonly answersSecret?: true;
}
