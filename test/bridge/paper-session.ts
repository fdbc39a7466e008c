/** A real `paper` process with its dashboard, in a folder of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import WebSocket from 'ws';
import { undeclared } from './declared.ts';

const ROOT = join(import.meta.dirname, '../..');
const WAIT_MS = 45_000;
const LOOK_MS = 20;

export interface Row {
  readonly seq: number;
  readonly ts: number;
  readonly kind: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** A condition with a deadline, never a pause. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined> | Value | undefined,
): Promise<Value> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`waited for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

export class PaperSession {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  #stderr = '';

  constructor(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    const strategy = join(ROOT, 'strategies/spread-maker.ts');
    const own = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(TIDEWIRE_|VITEST|NODE_OPTIONS)/.test(name)),
    );
    const command = [join(ROOT, 'bin/tidewire.js'), 'paper', strategy, '--param', 'everyMs=100', ...args];
    this.child = spawn(process.execPath, command, {
      cwd,
      env: { ...own, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr!.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString('utf8')));
    this.ended = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)));
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Once the link was printed. */
  async link(): Promise<{ readonly url: string; readonly token: string }> {
    const [, url = '', token = ''] = await until('the link', () => {
      if (this.child.exitCode !== null) throw new Error(`it ended: ${this.#stderr}`);
      return /^dashboard (https?:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)$/m.exec(this.#stderr) ?? undefined;
    });
    return { url, token };
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    this.child.kill(signal);
    await this.ended;
  }
}

export interface Reply<Body> {
  readonly status: number;
  readonly body: Body;
}

interface Fetching {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export class Api {
  readonly url: string;
  readonly token: string;

  constructor({ url, token }: { readonly url: string; readonly token: string }) {
    this.url = url;
    this.token = token;
  }

  async get<Body>(path: string): Promise<Body> {
    return (await (await this.#fetch(path)).json()) as Body;
  }

  async text(path: string, accept: string): Promise<string> {
    return (await this.#fetch(path, { headers: { accept } })).text();
  }

  async command<Body>(command: object, key?: string, id = 'current'): Promise<Reply<Body>> {
    const response = await this.#fetch(`/sessions/${id}/commands`, {
      method: 'POST',
      headers: key === undefined ? {} : { 'idempotency-key': key },
      body: JSON.stringify({ reason: 'a test', ...command }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  async entries(after: number): Promise<readonly Row[]> {
    return (await this.get<{ entries: readonly Row[] }>(`/sessions/current/entries?after=${after}&limit=5000`)).entries;
  }

  /** Throws for an answer that the OpenAPI document does not declare. */
  async #fetch(path: string, { method = 'GET', headers = {}, ...more }: Fetching = {}): Promise<Response> {
    const own = { authorization: `Bearer ${this.token}`, ...headers };
    const response = await fetch(`${this.url}/api/v1${path}`, { method, headers: own, ...more });
    const type = response.headers.get('content-type') ?? '';
    const wrong = undeclared(method, `/api/v1${path}`, response.status, type);
    if (wrong === null) return response;
    throw new Error(wrong);
  }

  stream(query = ''): StreamReader {
    return new StreamReader(`${this.url.replace('http', 'ws')}/api/v1/stream${query}`, this.token);
  }
}

export type Message = Readonly<Record<string, unknown>> & { readonly type: string; readonly seq: number };

export class StreamReader {
  readonly socket: WebSocket;
  readonly messages: Message[] = [];
  readonly closed: Promise<number>;

  constructor(url: string, token: string) {
    this.socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    this.socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString('utf8')) as Message));
    this.socket.on('error', () => {});
    this.closed = new Promise((resolve) => this.socket.once('close', (code) => resolve(code)));
  }

  first(type: string, is: (message: Message) => boolean = () => true): Promise<Message> {
    return until(type, () => this.messages.find((message) => message.type === type && is(message)));
  }

  get entries(): readonly Message[] {
    return this.messages.filter(({ type }) => type === 'entry');
  }

  close(): Promise<number> {
    this.socket.close();
    return this.closed;
  }
}
