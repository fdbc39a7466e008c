/** The WebSocket of the API: the upgrade passes the same gatekeeper as a request, then a client follows a session. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Clock, Logger } from '../../model/ports.ts';
import { messageOf } from '../../model/errors.ts';
import { bridgeErrors } from '../errors.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { SessionView } from '../fleet/session-view.ts';
import { badRequest } from '../server/error-answer.ts';
import { isRefused, type Gatekeeper } from '../server/gatekeeper.ts';
import { queryText } from '../server/query-text.ts';
import { refuseRaw } from '../server/raw-answer.ts';
import { SharedTexts } from './shared-texts.ts';
import { StreamClient, type Subscription } from './stream-client.ts';

const PATH = '/api/v1/stream';
const CLIENTS_MAX = 100;
const MESSAGE_BYTES_MAX = 65_536;
const TOPICS = ['entries', 'equity', 'book', 'health'] as const;

const list = (most: number): z.ZodType<string[] | undefined> =>
  z
    .string()
    .optional()
    .transform((text) => text?.split(',').filter((part) => part !== ''))
    .refine((parts) => (parts?.length ?? 0) <= most, `at most ${most}`);

const query = z.strictObject({
  after: z.coerce.number().int().min(0).optional(),
  session: z.string().max(200).default('current'),
  topics: list(4).pipe(z.array(z.enum(TOPICS)).optional()),
  symbols: list(16),
  depth: z.coerce.number().int().min(1).max(200).default(20),
});

export interface StreamServerDeps {
  readonly server: Server;
  readonly fleet: Fleet;
  readonly gatekeeper: Gatekeeper;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Wish {
  readonly view: SessionView;
  readonly after: number | null;
  readonly subscription: Subscription;
}

export class StreamServer {
  readonly #deps: StreamServerDeps;
  readonly #clients = new Set<StreamClient>();
  readonly #texts = new SharedTexts();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    perMessageDeflate: false,
    clientTracking: false,
  });

  constructor(deps: StreamServerDeps) {
    this.#deps = deps;
    deps.server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      this.#upgrade(request, socket, head).catch((thrown: unknown) => refuseRaw(socket, thrown));
    });
  }

  get clients(): number {
    return this.#clients.size;
  }

  close(): void {
    for (const client of this.#clients) client.goAway();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { gatekeeper, clock, logger } = this.#deps;
    const refused = gatekeeper.entrance(request);
    if (refused !== null) throw refused;
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname !== PATH) throw bridgeErrors.make('bridge_unknown', 'there is no stream at this address');
    const caller = await gatekeeper.caller(request, 'read');
    if (isRefused(caller)) throw caller.error;
    if (this.#clients.size >= CLIENTS_MAX)
      throw bridgeErrors.make('bridge_too_many', `${CLIENTS_MAX} clients follow already`);
    const wish = this.#wish(url);
    this.#sockets.handleUpgrade(request, socket, head, (opened) => {
      const over = (): void => void this.#clients.delete(client);
      const texts = this.#texts;
      const client: StreamClient = new StreamClient({ socket: opened, wire: socket, texts, clock, over, ...wish });
      this.#clients.add(client);
      client.start().catch((thrown: unknown) => {
        logger.error({ reason: messageOf(thrown) }, 'a client of the stream failed');
        opened.terminate();
      });
    });
  }

  #wish(url: URL): Wish {
    const parsed = query.safeParse(queryText(url.search, ['topics', 'symbols']));
    if (!parsed.success) throw badRequest('query', parsed.error.issues);
    const { after, session, topics, symbols, depth } = parsed.data;
    return {
      view: this.#deps.fleet.find(session),
      after: after ?? null,
      subscription: { topics: topics ?? [...TOPICS], symbols: symbols ?? null, depth },
    };
  }
}
