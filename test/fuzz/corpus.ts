/**
 * What the exchange really says, as material for mutations: frames and bodies of a session that trades, the answers to every
 * private and public read that needs no parameter, and those of areas that no strategy trades in. Every schema of the
 * interface has a good answer among them.
 */
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../src/exchange/exchange.ts';
import { createEndpointTable, type EndpointName } from '../../src/exchange/interface/endpoints.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { schemaRows } from '../../src/exchange/wire/schema-table.ts';
import { silentLogger, type HttpTransport } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { createInMemorySandbox } from '../../src/sandbox/in-memory.ts';
import { SimulatedTime } from '../simulation/world/simulated-time.ts';
import { harvest } from './harvest.ts';
import { Stack, type Body, type Frame } from './stack.ts';

/** Long enough for fills, candles, cancels and a round of every poll. */
const SESSION_S = 400;
const START_MS = Date.UTC(2026, 0, 1);

export interface Corpus {
  readonly frames: readonly Frame[];
  /** Of the exchange's socket, from other areas. */
  readonly otherFrames: readonly string[];
  readonly p2pFrames: readonly string[];
  /** With the endpoint that each answers. */
  readonly bodies: readonly (Body & { readonly endpoint: EndpointName })[];
}

export async function gatherCorpus(seed: number): Promise<Corpus> {
  const stack = new Stack(seed);
  await stack.runSeconds(SESSION_S);
  const { frames } = stack;
  const { bodies: others, frames: otherFrames, p2pFrames } = harvest();
  const told = [...stack.bodies, ...(await otherBodies(seed)), ...others];
  stack.close();
  const table = createEndpointTable();
  const bodies = told.flatMap((body) => {
    const match = table.match(body.method, body.path);
    return match === undefined ? [] : [{ ...body, endpoint: match.endpoint.name }];
  });
  const answered = new Set(bodies.filter(({ status }) => status === 200).map(({ endpoint }) => endpoint));
  for (const { resource, endpoints } of schemaRows) {
    if (endpoints.length > 0 && !endpoints.some((endpoint) => answered.has(endpoint)))
      throw new Error(`the corpus has no ${resource}`);
  }
  return { frames, otherFrames, p2pFrames, bodies };
}

/** Answers to what is asked without parameters: dictionaries, fees, routes, tiers and the like. */
async function otherBodies(seed: number): Promise<Body[]> {
  const time = new SimulatedTime(START_MS);
  const memory = createInMemorySandbox({ clock: time.clock, seed });
  const alice = memory.users.find(({ login }) => login === 'alice');
  if (alice === undefined) throw new Error('there is no alice');
  const bodies: Body[] = [];
  const kept: HttpTransport = {
    request: (request, deadlineMs, done) =>
      memory.http.request(request, deadlineMs, (result) => {
        if (result.kind === 'response') {
          const { pathname: path } = new URL(request.url);
          bodies.push({ method: request.method, path, status: result.status, text: result.body });
        }
        done(result);
      }),
    close: () => Promise.resolve(),
  };
  const { restUrl, gatewayUrl, wsUrl } = memory;
  const exchange = createExchange({
    options: exchangeOptions.parse({ baseUrl: restUrl, gatewayUrl, wsUrl }),
    credentials: createCredentials(alice.apiKey.publicKey, alice.apiKey.secretKey),
    clock: time.clock,
    random: seededRandom(seed),
    logger: silentLogger,
    httpTransports: { orders: kept, reconcile: kept, public: kept },
    socketTransport: memory.sockets,
  });
  const reads = exchange.endpoints.rows.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const symbol = 'BTCUSDTPERP';
  const asked: Promise<unknown>[] = reads.map(({ name }) =>
    exchange.http.read({ endpoint: name, lane: 'reconcile', query: { symbol } }),
  );
  asked.push(exchange.money.overdraft.fee('10'), rewardOf(exchange));
  await time.runTo((START_MS + 120_000) * 1000, () => {});
  await Promise.all(asked);
  memory.stop();
  return bodies;
}

async function rewardOf({ money: { referrals } }: Exchange): Promise<void> {
  const link = await referrals.link();
  if (link.kind === 'failed') throw link.error;
  await referrals.reward(link.value.linkId);
}

/** The schemas that read an endpoint's answer. */
export function schemasOf(endpoint: EndpointName) {
  return schemaRows.filter(({ endpoints }) => endpoints.includes(endpoint)).map(({ schema }) => schema);
}
