/** One plain HTTP request, with any header, also `Host`. */
import { request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

export function get(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
  body: string | Buffer = '',
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request(url, { method, headers }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => (text += part));
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'], body: text }),
    );
    response.on('error', reject);
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}
