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
  /** More names. Without a port: with that of the scheme, as behind a proxy, and with its own. */
  readonly names: readonly string[];
}

const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
const ANY: readonly string[] = ['0.0.0.0', '::'];

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

/** An IPv4 address as such, also on a socket of IPv6. */
function plain(address = ''): string {
  return address.replace(/^::ffff:/i, '').toLowerCase();
}

export class Allowed {
  readonly #hosts: ReadonlySet<string>;
  /** Of this machine alone. */
  readonly #loopback: ReadonlySet<string>;
  readonly #port: number;
  /** It listens on all addresses of this machine. */
  readonly #isAny: boolean;
  readonly #secure: boolean;
  readonly #behindProxy: boolean;

  constructor({ host, port, secure, behindProxy, names }: AllowedOptions) {
    this.#secure = secure;
    this.#behindProxy = behindProxy;
    this.#loopback = new Set(LOOPBACK.map((name) => `${name}:${port}`));
    this.#port = port;
    this.#isAny = ANY.includes(host);
    const own = this.#isAny ? [] : [`${bracketed(host)}:${port}`];
    const more = names.flatMap((name) => (name.includes(':') ? [name] : [name, `${name}:${port}`]));
    this.#hosts = new Set([...this.#loopback, ...[...own, ...more].map((name) => name.toLowerCase())]);
  }

  /** `reached`: the address of this machine that the connection came to. */
  host(value: string, reached: string | undefined): boolean {
    const name = value.toLowerCase();
    return this.#hosts.has(name) || (this.#isAny && name === `${bracketed(plain(reached))}:${this.#port}`);
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
