/** Reads the body of a request within a bound of bytes and time. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../model/ports.ts';
import { bridgeErrors } from '../errors.ts';

export const BODY_BYTES_MAX = 65_536;
const BODY_MS = 10_000;

/** Rejects with `bridge_too_large`, `bridge_slow`, or `bridge_bad_request` when it is not UTF-8 or the client has gone. */
export function readBody(incoming: IncomingMessage, clock: Clock): Promise<string> {
  const tooLarge = (): Error => bridgeErrors.make('bridge_too_large', `more than ${BODY_BYTES_MAX} bytes`);
  if (Number(incoming.headers['content-length'] ?? 0) > BODY_BYTES_MAX) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (finish: () => void): void => {
      cancel();
      incoming.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) {
        incoming.pause();
        end(() => reject(tooLarge()));
      } else chunks.push(chunk);
    };
    const onEnd = (): void =>
      end(() => {
        const body = Buffer.concat(chunks);
        if (isUtf8(body)) resolve(body.toString('utf8'));
        else reject(bridgeErrors.make('bridge_bad_request', 'the body is not UTF-8', { field: 'body' }));
      });
    const onGone = (): void =>
      end(() => reject(bridgeErrors.make('bridge_bad_request', 'the request ended before its body')));
    const cancel = clock.after(BODY_MS, () => {
      incoming.pause();
      end(() => reject(bridgeErrors.make('bridge_slow', `the body took more than ${BODY_MS / 1000} s`)));
    });
    incoming.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone);
  });
}
