/**
 * Loads the modules of this process with the edits of one mutant. To be called before anything that imports them.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Edit } from './mutant.ts';

const ROOT = new URL('../../../', import.meta.url);

/** The text with the edit applied; throws where it does not occur exactly once. */
export function patched(source: string, { file, find, replace }: Edit): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${file}: the text occurs ${parts.length - 1} times, not once: ${find}`);
  return parts.join(replace);
}

export function sourceOf(file: string): string {
  return readFileSync(fileURLToPath(new URL(file, ROOT)), 'utf8');
}

export function patchSources(edits: readonly Edit[]): void {
  const byUrl = new Map<string, Edit[]>();
  for (const edit of edits) {
    const url = new URL(edit.file, ROOT).href;
    byUrl.set(url, [...(byUrl.get(url) ?? []), edit]);
  }
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const wanted = byUrl.get(url);
      if (wanted === undefined) return loaded;
      const { source } = loaded;
      if (source === undefined || source === null) throw new Error(`${url} has no source`);
      const text = typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
      return { ...loaded, source: wanted.reduce(patched, text) };
    },
  });
}
