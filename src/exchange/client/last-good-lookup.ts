/**
 * Name look-ups that remember (reliability R09): where the resolver fails or is slow, the address at which the host was
 * last found is used again, so that an outage of name service does not cut a session off from its orders. A host that was
 * never found stays an error, and that is a proof that nothing was sent. Certificates are checked against the name as
 * always, so an address that somebody else has meanwhile answers for nothing. Bounded by the hosts of the configuration.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../model/ports.ts';

/** Below the time to connect, so that the address known is still tried. */
const SLOW_MS = 1_000;

type Resolve = (
  host: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

const systemResolve: Resolve = (host, options, done) =>
  systemLookup(host, options, (error, addresses) => done(error, error === null ? addresses : []));

/** `resolve` is the system's unless a test gives another. */
export function createLastGoodLookup(clock: Clock, resolve: Resolve = systemResolve): LookupFunction {
  const known = new Map<string, readonly LookupAddress[]>();
  return (host, { all }, done) => {
    let isOver = false;
    const end = (error: Error | null, addresses: readonly LookupAddress[]): void => {
      if (isOver) return;
      isOver = true;
      disarm();
      const [first] = addresses;
      if (first === undefined)
        done(error ?? Object.assign(new Error(`no address of ${host}`), { code: 'ENOTFOUND' }), '', 0);
      else if (all === true) done(null, [...addresses]);
      else done(null, first.address, first.family);
    };
    const fallBack = (): boolean => {
      const last = known.get(host);
      if (last === undefined) return false;
      end(null, last);
      return true;
    };
    const disarm = clock.after(SLOW_MS, fallBack);
    resolve(host, { all: true }, (error, addresses) => {
      // Also one that comes too late for this request is good for the next.
      if (error === null && addresses.length > 0) known.set(host, addresses);
      if (error === null || !fallBack()) end(error, addresses);
    });
  };
}
