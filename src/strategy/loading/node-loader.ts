/** Node's own `import()`, loaded by `require` so that test runners do not rewrite it. */

export function importUrl(url: string): Promise<Readonly<Record<string, unknown>>> {
  return import(url);
}
