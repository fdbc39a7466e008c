/**
 * Signed requests by plain `http` and an own HMAC, with nothing of tidewire in it: what it reads is the truth. The client
 * of the conformance tests does the same and notes what it meets, which needs the test runner.
 */
import { createHmac } from 'node:crypto';
import { request } from 'node:http';

export interface KeyPair {
  readonly publicKey: string;
  readonly secretKey: string;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export function signed(base: string, key: KeyPair, method: string, path: string, data?: object): Promise<Reply> {
  const body = data === undefined ? '' : JSON.stringify(data);
  const timestamp = String(Date.now());
  const message = `${timestamp}\n${method}\n${path}\n${body}`;
  const headers: Record<string, string> = {
    'X-API-Key': key.publicKey,
    'X-API-Timestamp': timestamp,
    'X-API-Signature': createHmac('sha256', key.secretKey).update(message).digest('hex'),
    'content-length': String(Buffer.byteLength(body)),
    ...(body === '' ? {} : { 'content-type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${base}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
