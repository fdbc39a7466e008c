/**
 * A sandbox exchange in a process of its own, the configuration that points at it, and what it says about an account to
 * a client that shares no code with tidewire's (own HMAC, plain HTTP).
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { send, signed, type KeyPair, type RawReply } from '../conformance/raw-client.ts';
import { start, type Running } from './cli.ts';

export interface SandboxUser {
  readonly login: string;
  readonly password: string;
  readonly auth2faSecret: string;
  readonly apiKey: KeyPair;
}

export interface SandboxLine {
  readonly restUrl: string;
  readonly gatewayUrl: string;
  readonly wsUrl: string;
  readonly users: readonly SandboxUser[];
}

export interface VenueOrder {
  readonly orderId: string;
  readonly clientOrderId?: string;
  readonly status: string;
  readonly side: string;
  readonly price: string;
  readonly quantity: string;
  readonly filledQuantity: string;
}

export class ExchangeProcess {
  readonly process: Running;
  readonly line: SandboxLine;
  readonly user: SandboxUser;

  constructor(process: Running, line: SandboxLine) {
    this.process = process;
    this.line = line;
    const [user] = line.users;
    if (user === undefined) throw new Error('the sandbox has no user');
    this.user = user;
  }

  get keys(): Readonly<Record<string, string>> {
    const { publicKey, secretKey } = this.user.apiKey;
    return { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey };
  }

  get(path: string): Promise<RawReply> {
    return signed(this.line.restUrl, this.user.apiKey, 'GET', path);
  }

  async activeOrders(): Promise<readonly VenueOrder[]> {
    return ((await this.get('/api/v2/exchange/client/order/active')).json ?? []) as readonly VenueOrder[];
  }

  /** Every ended order, all pages. */
  async orderHistory(): Promise<readonly VenueOrder[]> {
    const orders: VenueOrder[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: RawReply = await this.get(
        `/api/v2/exchange/client/order/history?limit=1000${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      const { items, nextCursor } = page.json as { items: readonly VenueOrder[]; nextCursor: string | null };
      orders.push(...items);
      cursor = nextCursor;
    }
    return orders;
  }

  /** One of the three test-only paths of the sandbox (wire profile). */
  control(path: 'clock' | 'faults' | 'deposit', body: object): Promise<RawReply> {
    return send(this.line.restUrl, 'POST', `/sandbox/${path}`, {}, JSON.stringify(body));
  }
}

export async function startExchange(cwd: string, extra: readonly string[] = []): Promise<ExchangeProcess> {
  const process = start(['sandbox', '--port', '0', '--seed', '7', '--json', ...extra], { cwd });
  return new ExchangeProcess(process, JSON.parse(await process.line()) as SandboxLine);
}

/** `live.yaml` in the folder; more text is appended to it. */
export function writeExchangeConfig(
  cwd: string,
  { restUrl, gatewayUrl, wsUrl }: Pick<SandboxLine, 'restUrl' | 'gatewayUrl' | 'wsUrl'>,
  more = '',
): string {
  const file = join(cwd, 'live.yaml');
  writeFileSync(file, `exchange:\n  baseUrl: ${restUrl}\n  gatewayUrl: ${gatewayUrl}\n  wsUrl: ${wsUrl}\n${more}`);
  return file;
}
