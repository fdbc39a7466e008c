/** The strategy file and its transitive relative imports with literal paths, found without running them. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]+)\1/g;

function specifiersOf(source: string): readonly string[] {
  return [...source.matchAll(SPECIFIER)].map((match) => match[2] ?? '').filter((text) => text !== '');
}

/** Absolute, the strategy first. Unreadable ones are left out. */
export function localFiles(file: string): readonly string[] {
  const found = new Set([resolve(file)]);
  for (const current of found) {
    let source: string;
    try {
      source = readFileSync(current, 'utf8');
    } catch {
      found.delete(current);
      continue;
    }
    for (const specifier of specifiersOf(source)) {
      const path = resolve(dirname(current), specifier);
      if (existsSync(path)) found.add(path);
    }
  }
  return [...found];
}
