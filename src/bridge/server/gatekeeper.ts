/** Decides for each request and each upgrade who calls and whether they may: host, origin, token or cookie, role. */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../model/ports.ts';
import type { TidewireError } from '../../model/errors.ts';
import { bridgeErrors } from '../errors.ts';
import type { Allowed } from './allowed.ts';
import type { Caller, Role } from './route.ts';
import type { Tokens } from './tokens.ts';
import { WrongTokens } from './wrong-tokens.ts';

export interface GatekeeperDeps {
  readonly tokens: Tokens;
  readonly allowed: Allowed;
  readonly clock: Clock;
  readonly cookieName: string;
}

export interface Refused {
  readonly error: TidewireError;
  readonly retryAfterS: number | null;
}

type Looked = Pick<IncomingMessage, 'headers' | 'method' | 'socket' | 'url'>;

/** Of a target in absolute form, whose host counts. */
const TARGET = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const RANK: Readonly<Record<Role, number>> = { read: 1, operate: 2 };

export class Gatekeeper {
  readonly #deps: GatekeeperDeps;
  readonly #wrong: WrongTokens;

  constructor(deps: GatekeeperDeps) {
    this.#deps = deps;
    this.#wrong = new WrongTokens(deps.clock);
  }

  get cookieName(): string {
    return this.#deps.cookieName;
  }

  /** Before anything else, for files too; null: continue. */
  entrance({ headers, socket, url = '/' }: Looked): TidewireError | null {
    const { allowed } = this.#deps;
    const { host: asked, origin } = headers;
    const host = TARGET.exec(url)?.[1] ?? asked;
    const isOwn = (name: string | undefined): name is string =>
      name !== undefined && allowed.host(name, socket.localAddress);
    if (!isOwn(host) || !isOwn(asked)) return bridgeErrors.make('bridge_host', 'this server is not of that host');
    if (origin !== undefined && !allowed.origin(origin, host))
      return bridgeErrors.make('bridge_forbidden', 'that origin may not call this server');
    return null;
  }

  /** After `entrance`. Slow only where the answer is no. `wanted` null: any role. */
  async caller(request: Looked, wanted: Role): Promise<Caller | Refused> {
    const found = this.#found(request);
    if (found === 'wrong') {
      const retryAfterS = await this.#wrong.slow();
      if (retryAfterS !== null)
        return { error: bridgeErrors.make('bridge_too_many', 'too many wrong tokens'), retryAfterS };
      return { error: bridgeErrors.make('bridge_unauthorized', 'the token is not that of this server'), retryAfterS };
    }
    if (found === null)
      return { error: bridgeErrors.make('bridge_unauthorized', 'a token is needed'), retryAfterS: null };
    if (RANK[found.role] < RANK[wanted]) {
      const message = `the role ${found.role} may not do this; ${wanted} may`;
      return { error: bridgeErrors.make('bridge_forbidden', message), retryAfterS: null };
    }
    const needsOrigin = found.by === 'cookie' && (!SAFE.has(request.method ?? '') || isUpgrade(request));
    if (needsOrigin && request.headers.origin === undefined)
      return { error: bridgeErrors.make('bridge_forbidden', 'with a cookie the Origin is needed'), retryAfterS: null };
    return found;
  }

  #found({ headers, socket }: Looked): Caller | 'wrong' | null {
    const { tokens, clock, cookieName } = this.#deps;
    const address = socket.remoteAddress ?? 'unknown';
    const bearer = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) {
      const role = tokens.roleOf(bearer);
      return role === null ? 'wrong' : { role, by: 'bearer', address };
    }
    if (headers.authorization !== undefined) return 'wrong';
    const value = cookieOf(headers.cookie, cookieName);
    if (value === null) return null;
    const role = tokens.roleOfCookie(value, clock.now());
    return role === null ? 'wrong' : { role, by: 'cookie', address };
  }
}

function isUpgrade({ headers }: Looked): boolean {
  return headers.upgrade !== undefined;
}

export function cookieOf(header: string | undefined, name: string): string | null {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at !== -1 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim();
  }
  return null;
}

export function isRefused(value: Caller | Refused): value is Refused {
  return 'error' in value;
}
