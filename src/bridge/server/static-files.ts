/**
 * The built page. Its files are listed at the start, and only a listed one is ever read, so that no path leads out of the
 * folder. Names under `assets/` carry a hash of their content and are kept by browsers; the rest is asked again.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
const PACKED = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;
const INDEX = 'index.html';

export interface StaticFile {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const MISSING = Buffer.from(
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>tidewire</title><p>The page is not part of this installation. The API is at <a href="/api/v1/openapi.json">/api/v1</a>.</p></html>\n',
);

/** Of the installation. */
export function dashboardFolder(): string {
  return join(import.meta.dirname, '../../../web/dashboard/dist');
}

export class StaticFiles {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #read = new Map<string, Buffer>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#names = new Set(namesIn(folder));
  }

  /** `path`: of the URL. Null: there is no such file. */
  find(path: string, acceptEncoding: string | undefined): StaticFile | null {
    const name = path === '/' ? INDEX : path.slice(1);
    if (!this.#names.has(name)) return name === INDEX ? page(MISSING) : null;
    const type = TYPES[extname(name)];
    if (type === undefined) return null;
    const accepted = new Set((acceptEncoding ?? '').split(',').map((part) => part.split(';')[0]?.trim()));
    const packed = PACKED.find(({ encoding, suffix }) => accepted.has(encoding) && this.#names.has(name + suffix));
    const cache = name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    return {
      body: this.#bytes(name + (packed?.suffix ?? '')),
      headers: {
        'content-type': type,
        'cache-control': cache,
        vary: 'accept-encoding',
        ...(packed === undefined ? {} : { 'content-encoding': packed.encoding }),
      },
    };
  }

  #bytes(name: string): Buffer {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const bytes = readFileSync(join(this.#folder, name));
    this.#read.set(name, bytes);
    return bytes;
  }
}

function page(body: Buffer): StaticFile {
  return { body, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' } };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      );
  } catch {
    return [];
  }
}
