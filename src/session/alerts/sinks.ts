/** Delivery of alerts. Failures never name an address or token. */
import { spawn } from 'node:child_process';
import { appendFile } from 'node:fs/promises';
import { request } from 'undici';
import { codeOf } from './failure-code.ts';
import type { SinkOptions } from './options.ts';

export interface AlertMessage {
  readonly topic: SinkOptions['on'][number];
  /** Unix ms. */
  readonly ts: number;
  readonly session: string;
  readonly mode: string;
  readonly code: string;
  readonly text: string;
  readonly action: string | null;
}

/** Null when delivered, else the failure in words. From `left` on nobody waits for it, nor may the process. */
export type Deliver = (message: AlertMessage, left: AbortSignal) => Promise<string | null>;

const DELIVER_MS_MAX = 10_000;
const TEXT_MAX = 4_000;

export function textOf({ mode, session, code, text, action }: AlertMessage): string {
  const lines = [`tidewire ${mode} ${session}`, `${code}: ${text}`, ...(action === null ? [] : [`→ ${action}`])];
  return lines.join('\n').slice(0, TEXT_MAX);
}

export function sinkOf(options: SinkOptions): Deliver {
  switch (options.kind) {
    case 'webhook':
      return (message) => post(options.url, message);
    case 'telegram': {
      const url = `${options.baseUrl.replace(/\/$/, '')}/bot${options.token}/sendMessage`;
      return (message) => post(url, { chat_id: options.chat, text: textOf(message) });
    }
    case 'command':
      return (message, left) => run(options.run, `${JSON.stringify(message)}\n`, left);
    case 'file':
      return (message) => append(options.path, `${JSON.stringify(message)}\n`);
  }
}

async function post(url: string, body: object): Promise<string | null> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(DELIVER_MS_MAX),
    });
    answer.body.dump().catch(() => {});
    return answer.statusCode >= 200 && answer.statusCode <= 299 ? null : `status ${answer.statusCode}`;
  } catch (thrown) {
    return codeOf(thrown);
  }
}

/** Passes no other environment: it may hold keys. */
function run([program = '', ...args]: readonly string[], input: string, left: AbortSignal): Promise<string | null> {
  const { PATH, HOME } = process.env;
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const child = spawn(program, args, {
    env: { ...(PATH === undefined ? {} : { PATH }), ...(HOME === undefined ? {} : { HOME }) },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // The `timeout` of `spawn` would keep the process.
  AbortSignal.timeout(DELIVER_MS_MAX).addEventListener('abort', () => child.kill('SIGKILL'));
  const leave = (): void => child.unref();
  left.addEventListener('abort', leave);
  const ended = (failure: string | null): void => {
    left.removeEventListener('abort', leave);
    resolve(failure);
  };
  child.on('error', (error) => ended(codeOf(error)));
  child.on('close', (code, signal) => ended(code === 0 ? null : `ended with ${signal ?? code ?? 'nothing'}`));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return promise;
}

async function append(path: string, line: string): Promise<string | null> {
  try {
    await appendFile(path, line, { mode: 0o600 });
    return null;
  } catch (thrown) {
    return codeOf(thrown);
  }
}
