/** Failures that a route may answer with beside its own answers, one row a status. The OpenAPI document declares them. */
import type { Route } from './route.ts';

interface FailureRow {
  readonly status: number;
  readonly about: string;
  readonly of: (route: Route) => boolean;
}

const any = (): boolean => true;
const posts = ({ method }: Route): boolean => method === 'POST';
/** It reads or asks a session or the exchange. */
const asks = ({ path }: Route): boolean => /\/(sessions\/\{|operations\/)/.test(path);

export const failures: readonly FailureRow[] = [
  { status: 400, of: any, about: 'The request cannot be read: `field` names what is wrong' },
  { status: 401, of: any, about: 'No token, or a wrong one' },
  { status: 403, of: any, about: 'The role may not, or another origin asks' },
  { status: 404, of: any, about: 'There is no such thing' },
  { status: 408, of: posts, about: 'The body came too slowly' },
  { status: 409, of: (route) => posts(route) || asks(route), about: 'The state forbids it' },
  { status: 413, of: posts, about: 'The body has more than 64 KiB' },
  { status: 421, of: any, about: 'Another host is meant' },
  { status: 429, of: any, about: 'Too many at a time, or too many wrong tokens; see Retry-After' },
  { status: 500, of: any, about: 'It failed for a reason that it should not have; the log of the session says why' },
  { status: 503, of: any, about: 'The journal cannot be read or written, or the exchange cannot be reached' },
  { status: 504, of: asks, about: 'The session did not answer in time' },
];
