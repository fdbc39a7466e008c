/**
 * The hosts and origins that this server answers to, exactly. A page whose name was made to point at this machine (DNS
 * rebinding) has another Host; a page of another site has another Origin.
 */

export interface AllowedOptions {
  /** Address that it listens on. */
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  /** More names, with a port where it is not that of the scheme; for a proxy. */
  readonly names: readonly string[];
}

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
const ANY: readonly string[] = ['0.0.0.0', '::'];

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

export class Allowed {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor({ host, port, secure, names }: AllowedOptions) {
    const own = ANY.includes(host) ? LOOPBACK : [...LOOPBACK, bracketed(host)];
    const hosts = own.map((name) => `${name.toLowerCase()}:${port}`);
    const scheme = secure ? 'https' : 'http';
    const more = names.map((name) => name.toLowerCase());
    this.#hosts = new Set([...hosts, ...more]);
    // A proxy encrypts, so that its origin is https.
    this.#origins = new Set([
      ...hosts.map((name) => `${scheme}://${name}`),
      ...more.flatMap((name) => [`https://${name}`, `${scheme}://${name}`]),
    ]);
  }

  host(value: string | undefined): boolean {
    return value !== undefined && this.#hosts.has(value.toLowerCase());
  }

  origin(value: string): boolean {
    return this.#origins.has(value.toLowerCase());
  }
}
