/**
 * Strategies whose types were found clean, by their code, the build and the compiler. They need no check again. Kept
 * beside the packages, where no other user can write. If it cannot be kept, each start checks.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** More are forgotten, all at once. */
const KEPT_MAX = 2_000;
const PACKAGE = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(['"])([^.'"\n][^'"\n]*)\1/g;
const OWN = /^(node:|tidewire($|\/)|rxjs($|\/))/;

export class CleanTypes {
  readonly #dir: string;
  readonly #salt: string;

  /** `salt`: whatever a verdict depends on beside the strategy's own files. */
  constructor(dir: string, salt: string) {
    this.#dir = dir;
    this.#salt = salt;
  }

  /** Undefined if types of other packages count, because those are not hashed. */
  key(code: string, files: readonly string[]): string | undefined {
    const foreign = files.some((file) =>
      [...readFileSync(file, 'utf8').matchAll(PACKAGE)].some(([, , name = '']) => !OWN.test(name)),
    );
    return foreign ? undefined : createHash('sha256').update(`${this.#salt}\n${code}`).digest('hex');
  }

  has(key: string): boolean {
    return existsSync(join(this.#dir, key));
  }

  add(key: string): void {
    try {
      mkdirSync(this.#dir, { recursive: true });
      if (readdirSync(this.#dir).length >= KEPT_MAX) rmSync(this.#dir, { recursive: true });
      mkdirSync(this.#dir, { recursive: true });
      writeFileSync(join(this.#dir, key), '');
    } catch {
      // The next start checks again.
    }
  }
}
