/** The code alone: error messages name addresses and paths. */
export function codeOf(thrown: unknown): string {
  const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  return typeof code === 'string' ? code : 'failed';
}
