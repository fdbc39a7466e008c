/** A live session on an exchange in a process of its own, and what a client of its API asks and orders. */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ladder } from '../../cli/ladder.ts';
import { start, type Running } from '../../e2e/cli.ts';
import { writeExchangeConfig, type ExchangeProcess } from '../../e2e/exchange-process.ts';

export interface Told {
  readonly seq: number;
  readonly kind: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly status: number;
  readonly json: {
    readonly seq?: number;
    readonly error?: { readonly code: string; readonly message: string; readonly field?: string };
    readonly confirm?: { readonly code: string; readonly what: string };
    readonly items?: readonly Readonly<Record<string, unknown>>[];
    readonly entries?: readonly Told[];
    readonly [name: string]: unknown;
  };
}

/** Status, code and field. */
export const refusal = ({ status, json }: Reply): readonly unknown[] => [status, json.error?.code, json.error?.field];

export class LiveSession {
  readonly process: Running;
  readonly url: string;
  readonly token: string;

  constructor(process: Running, url: string, token: string) {
    this.process = process;
    this.url = url;
    this.token = token;
  }

  get readToken(): string {
    return createHmac('sha256', this.token).update('tidewire read').digest('hex');
  }

  async get(path: string, by = this.token): Promise<Reply> {
    const response = await fetch(`${this.url}/api/v1${path}`, { headers: { authorization: `Bearer ${by}` } });
    return { status: response.status, json: (await response.json()) as Reply['json'] };
  }

  /** A busy machine makes the event loop late, and nothing new leaves meanwhile. */
  post(path: string, body: object, key: string, by = this.token): Promise<Reply> {
    return this.process.during('an event loop in time', async () => {
      const headers = { authorization: `Bearer ${by}`, 'idempotency-key': key };
      const whole = JSON.stringify({ reason: 'a test', ...body });
      const response = await fetch(`${this.url}/api/v1${path}`, { method: 'POST', headers, body: whole });
      const reply = { status: response.status, json: (await response.json()) as Reply['json'] };
      return reply.json.error?.message.startsWith('loop_lag') === true ? undefined : reply;
    });
  }

  /** In two steps. */
  async confirmed(path: string, body: object, key: string): Promise<Reply> {
    const { json } = await this.post(path, body, key);
    return this.post(path, { ...body, code: json.confirm?.code ?? '' }, key);
  }

  async entries(kind: string): Promise<readonly Told[]> {
    return (await this.get(`/sessions/current/entries?limit=5000&kinds=${kind}`)).json.entries ?? [];
  }

  /** How the movement ended whose command has this number. */
  outcomeAfter(seq: number | undefined): Promise<Readonly<Record<string, unknown>>> {
    return this.process.during('the end of a movement', async () => {
      const intent = (await this.entries('money-intent')).find((each) => each.seq > (seq ?? Infinity));
      const ends = await this.entries('money-outcome');
      const end = ends.find(({ entry }) => entry['intentId'] === intent?.entry['intentId']);
      return end?.entry['outcome'] as Readonly<Record<string, unknown>> | undefined;
    });
  }

  /** The first order of the strategy is there, so the account was compared. */
  traded(): Promise<true> {
    return this.process.during('the first order', async () => {
      const { json } = await this.get('/operations/spot/orders');
      return (json.items ?? []).length > 0 ? true : undefined;
    });
  }
}

/** Starts, or goes on after a death. */
export async function liveSession(cwd: string, exchange: ExchangeProcess, more: string): Promise<LiveSession> {
  writeFileSync(join(cwd, 'ladder.ts'), ladder(100));
  const config = writeExchangeConfig(cwd, exchange.line, more);
  const args = ['run', '--config', config, '--live', '--confirm', exchange.user.login, '--dashboard', '0', '--json'];
  const process = start(args, { cwd, env: exchange.keys });
  const [, url = '', token = ''] = await process.during(
    'the link',
    () => /^dashboard (http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)$/m.exec(process.stderr) ?? undefined,
  );
  return new LiveSession(process, url, token);
}
