/**
 * The hosts that this server answers to and the one origin that belongs to each, exactly. A page whose name was made to
 * point at this machine (DNS rebinding) has another Host; a page of another site has another Origin.
 */

export interface AllowedOptions {
  /** Address that it listens on. */
  readonly host: string;
  readonly port: number;
  /** It encrypts by itself. */
  readonly secure: boolean;
  readonly behindProxy: boolean;
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
  /** Of this machine alone. */
  readonly #loopback: ReadonlySet<string>;
  readonly #secure: boolean;
  readonly #behindProxy: boolean;

  constructor({ host, port, secure, behindProxy, names }: AllowedOptions) {
    this.#secure = secure;
    this.#behindProxy = behindProxy;
    this.#loopback = new Set(LOOPBACK.map((name) => `${name}:${port}`));
    const own = ANY.includes(host) ? [] : [`${bracketed(host).toLowerCase()}:${port}`];
    this.#hosts = new Set([...this.#loopback, ...own, ...names.map((name) => name.toLowerCase())]);
  }

  host(value: string | undefined): boolean {
    return value !== undefined && this.#hosts.has(value.toLowerCase());
  }

  /** Of a page that came from that host: without TLS of its own a proxy encrypts, but for this machine. */
  origin(value: string, host: string): boolean {
    const name = host.toLowerCase();
    const scheme = this.#secure || !this.#loopback.has(name) ? 'https' : 'http';
    return value.toLowerCase() === `${scheme}://${name}`;
  }

  /** Whether a browser that asked for that host did so by https. */
  isEncrypted(host: string | undefined): boolean {
    return this.#secure || this.#behindProxy || !this.#loopback.has(host?.toLowerCase() ?? '');
  }
}
