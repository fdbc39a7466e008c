/**
 * What a row of the endpoint table says. `endpoint-rows.ts` has the rows, `endpoints.ts` the look-ups.
 */
import type { HttpMethod } from '../../model/ports.ts';
import type { AccessLevel, PermissionCategory } from './permissions.ts';

/** Whether the interface documents it or the wire profile assumes it. */
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

/** Who may call it. A JWT may call everything; the kinds say what an API key may. */
export type Access =
  | { readonly kind: 'public' }
  /** An API key is refused: `route not allowed for API key access`. */
  | { readonly kind: 'jwt-only' }
  /** Any active key, whatever its permissions. */
  | { readonly kind: 'any-key' }
  /** One of the categories at this level or above. */
  | { readonly kind: 'permission'; readonly anyOf: readonly PermissionCategory[]; readonly level: AccessLevel };

export interface EndpointRow {
  readonly name: string;
  readonly method: HttpMethod;
  /** With `{params}`, one whole segment each. */
  readonly path: string;
  readonly area: EndpointArea;
  readonly access: Access;
  /** `read`: repeating it changes nothing. */
  readonly effect: 'read' | 'mutating';
  readonly provenance: Provenance;
  readonly purpose: string;
  /** Its answer holds what its caller alone may learn (token, key, text of a code): no error or log quotes any of it. */
  readonly answersSecret?: true;
}
