/** How a command of another process reaches a running session: a file, which the session takes or the command withdraws. */
import { existsSync, linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';

/** False while an earlier order waits to be taken. */
export function postOrder(file: string, wanted: { readonly id: string }): boolean {
  const draft = `${file}.${wanted.id}`;
  writeFileSync(draft, `${JSON.stringify(wanted)}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (thrown) {
    if (hasCode(thrown, 'EEXIST')) return false;
    throw thrown;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Undefined: nothing is posted, or it was withdrawn. `content` is null where the file is no JSON. */
export function takeOrder(file: string): { readonly content: unknown } | undefined {
  if (!existsSync(file)) return undefined;
  const content = jsonOf(file);
  return unlinked(file) ? { content } : undefined;
}

/** False: the session has taken it. Of both, only one removes the file. */
export function withdrawOrder(file: string, id: string): boolean {
  const content = jsonOf(file) as { readonly id?: unknown } | null;
  return content?.id === id && unlinked(file);
}

function unlinked(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return false;
    throw thrown;
  }
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function hasCode(thrown: unknown, code: string): boolean {
  return (thrown as { readonly code?: unknown }).code === code;
}
