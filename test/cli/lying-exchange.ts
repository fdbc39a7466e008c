/** A proxy before the sandbox of a desk that alters, withholds or swallows single answers, and the command line against it. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { callCli, type CliEnd } from './call-cli.ts';
import type { CliDesk, Json } from './cli-desk.ts';

export interface Lie {
  readonly method: string;
  readonly path: string;
  /** Of the exchange's answer; null: the request does not reach it. A promise withholds it. */
  readonly edit: (answer: Json | null) => unknown;
  readonly reaches?: false;
  times: number;
}

export interface LyingExchange {
  /** The configuration of the desk's folder that leads to it. */
  readonly config: string;
  /** Null: it tells the truth. */
  lie: Lie | null;
  /** Requests of this method and path that came through. */
  count(method: string, path: string): number;
  call(...argv: readonly string[]): Promise<CliEnd>;
  stop(): void;
}

export async function openLyingExchange(desk: CliDesk): Promise<LyingExchange> {
  const { restUrl, users } = desk.running;
  const config = 'lying.yaml';
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void (async () => {
        const { method = 'GET', url = '/' } = request;
        const [path = ''] = url.split('?');
        asked.push(`${method} ${path}`);
        const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
          typeof value !== 'string' || ['host', 'connection', 'content-length'].includes(name) ? [] : [[name, value]],
        );
        const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
        const { lie } = liar;
        const told = lie !== null && lie.times > 0 && lie.method === method && path === lie.path ? lie : null;
        if (told !== null) told.times--;
        const answer = told?.reaches === false ? null : await fetch(`${restUrl}${url}`, { method, headers, ...body });
        const text = (await answer?.text()) ?? 'null';
        const said = told === null ? text : JSON.stringify(await told.edit(JSON.parse(text) as Json | null));
        response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json' });
        response.end(said);
      })();
    });
  });
  const liar: LyingExchange = {
    config,
    lie: null,
    count: (method, path) => asked.filter((each) => each === `${method} ${path}`).length,
    call: (...argv) => {
      const { publicKey, secretKey } = users[0]!.apiKey;
      const env = { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
      return callCli([...argv, '--json', '--config', config], desk.folder, { env });
    },
    stop: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const own = readFileSync(join(desk.folder, 'c.yaml'), 'utf8');
  writeFileSync(join(desk.folder, config), own.replaceAll(restUrl, `http://127.0.0.1:${port}`));
  return liar;
}
