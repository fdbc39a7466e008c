/** Names allowed in `exchange.overrides`: assumed rows. Also used by `config check`. */
import { nearest } from '../../model/text/nearest.ts';

export interface WrongName {
  readonly code: 'override_unknown' | 'override_refused';
  /** "no endpoint has this name; did you mean orderHistory?" */
  readonly message: string;
}

export interface OverridableRow {
  readonly name: string;
  readonly provenance: string;
  readonly wire: string;
}

/** Null when it may be overridden. `what`: "endpoint". */
export function wrongName(what: string, rows: readonly OverridableRow[], name: string): WrongName | null {
  const row = rows.find((each) => each.name === name);
  if (row?.provenance === 'documented')
    return { code: 'override_refused', message: `${row.wire} is documented and cannot be overridden` };
  if (row !== undefined) return null;
  const known = rows.filter(({ provenance }) => provenance !== 'documented').map((each) => each.name);
  const near = nearest(name, known, 3);
  const hint = near.length === 0 ? `known names: ${known.join(', ')}` : `did you mean ${near.join(' or ')}?`;
  return { code: 'override_unknown', message: `no ${what} has this name; ${hint}` };
}
