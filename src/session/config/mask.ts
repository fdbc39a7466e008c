/**
 * Values for people: `***` in place of what came from the environment, has the name of a secret, or is an address that
 * holds one, and of the name and password within any other address.
 */
export const MASK = '***';

const SECRET_NAME = /secret|password|token|apikey|privatekey|otlp\.headers|^alerts\.\d+(\.ping)?\.url$/i;

/** To the last @ of the authority. */
const LOGIN_IN_ADDRESS = /\/\/[^/?#\s]*@/g;

/** `secret`: dotted paths. A secret below `path` is masked too. */
export function masked(value: unknown, secret: ReadonlySet<string>, path = ''): unknown {
  if (secret.has(path) || (SECRET_NAME.test(path) && value !== 'auto')) return MASK;
  const below = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
  if (Array.isArray(value)) return value.map((item: unknown, index) => masked(item, secret, below(index)));
  if (typeof value === 'string') return value.replaceAll(LOGIN_IN_ADDRESS, `//${MASK}@`);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, masked(child, secret, below(key))]));
}
