/** The plain value of a YAML document. */
import type { Document } from 'yaml';
import { messageOf } from '../../model/errors.ts';

export const YAML_CHARS_MAX = 1024 * 1024;
/** As the parser counts them. */
const ALIASES_MAX = 100;

export type PlainYaml =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly why: string };

export function plainYaml(document: Document): PlainYaml {
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: ALIASES_MAX });
  } catch (thrown) {
    return { kind: 'refused', why: messageOf(thrown) };
  }
  return holdsItself(value, new Set())
    ? { kind: 'refused', why: 'an alias stands inside the value that it names' }
    : { kind: 'value', value };
}

function holdsItself(value: unknown, above: Set<object>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (above.has(value)) return true;
  above.add(value);
  const held = Object.values(value).some((item) => holdsItself(item, above));
  above.delete(value);
  return held;
}
