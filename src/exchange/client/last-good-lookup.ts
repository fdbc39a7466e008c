/**
 * DNS look-ups that fall back to the last good address (docs/reliability.md, R09). An unknown host stays an error,
 * which shows that nothing was sent.
 */
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Clock } from '../../model/ports.ts';

/** Below the connect timeout, so the known address is still tried. */
const SLOW_MS = 1_000;

type Resolve = (
  host: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

const systemResolve: Resolve = (host, options, done) =>
  systemLookup(host, options, (error, addresses) => done(error, error === null ? addresses : []));

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
      // A late result serves the next request.
      if (error === null && addresses.length > 0) known.set(host, addresses);
      if (error === null || !fallBack()) end(error, addresses);
    });
  };
}
