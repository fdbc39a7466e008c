/** Whether each operation that only reads is where it is assumed to be, and answers what the client can read. */
import type { EndpointName, EndpointTable } from '../../exchange/interface/endpoints.ts';
import { decodeBy, isRecord } from '../../exchange/wire/decoded.ts';
import { unwrapped } from '../../exchange/wire/body.ts';
import { schemaRows, type SchemaRow } from '../../exchange/wire/schema-table.ts';
import { judged, seen, unasked, type Ask, type Given, type Question, type Seen, type Told } from './question.ts';

export interface Symbols {
  readonly spot: string;
  /** Null: the exchange lists none. */
  readonly perpetual: string | null;
}

export const READS = 'reads as assumed';

/** Rows of an answer that are read, so that a long list costs little. */
const ROWS_MAX = 20;

/** Fields that the client does not read. */
function unreadIn(row: unknown, read: (row: unknown) => void): readonly string[] {
  if (!isRecord(row)) return [];
  const touched = new Set<PropertyKey>();
  const watched = new Proxy(row, {
    get: (target, name) => {
      touched.add(name);
      return Reflect.get(target, name) as unknown;
    },
  });
  read(watched);
  return Object.keys(row).filter((name) => !touched.has(name));
}

/** An item, a list, or a list in `items`. */
function itemsIn(json: unknown): { readonly isList: boolean; readonly items: readonly unknown[] } {
  const inner = unwrapped(json);
  if (Array.isArray(inner)) return { isList: true, items: inner };
  if (isRecord(inner) && Array.isArray(inner['items'])) return { isList: true, items: inner['items'] as unknown[] };
  return { isList: false, items: [inner] };
}

export function shapeOf(json: unknown, { schema, resource }: SchemaRow): Told {
  const { isList, items } = itemsIn(json);
  if (items.length === 0) return seen(READS, 'an empty list');
  for (const item of items.slice(0, ROWS_MAX)) {
    const result = decodeBy(schema, resource, item);
    if (result.kind === 'failure')
      return seen(`${result.field === '' ? 'the whole' : result.field}: ${result.problem}`, item);
  }
  const unread = unreadIn(items[0], (row) => void schema.safeParse(row));
  return { kind: 'seen', text: READS, evidence: `${isList ? `${items.length} of ` : ''}${resource}`, unread };
}

async function firstId(ask: Ask, endpoint: EndpointName, field: string, given?: Given): Promise<string | null> {
  const result = await ask(endpoint, given);
  if (result === 'no-key' || result.kind !== 'ok') return null;
  const [first] = itemsIn(result.json).items;
  const id = isRecord(first) ? first[field] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}

type Asked = Given | string;

function idOr(id: string | null, name: string, what: string): Asked {
  return id === null ? `there is no ${what} to ask for` : { params: { [name]: id } };
}

/** What an operation is asked with, or why it is not. Without a row: with nothing. */
function givenFor(name: EndpointName, ask: Ask, { spot, perpetual }: Symbols): Promise<Asked> | Asked {
  const ofPerpetual = perpetual === null ? 'the exchange lists no perpetual' : { query: { symbol: perpetual } };
  switch (name) {
    case 'ticker':
      return { query: { symbol: spot } };
    case 'candles':
      return { query: { symbol: spot, interval: '1m', limit: 3 } };
    case 'riskTiers':
    case 'fundingRate':
    case 'markPrice':
      return ofPerpetual;
    case 'orderHistory':
      return { query: { market: 'spot', limit: 5 } };
    case 'overdraftFee':
      return { query: { amount: '100' } };
    case 'order':
      return firstId(ask, 'orderHistory', 'orderId', { query: { market: 'spot', limit: 5 } }).then((id) =>
        idOr(id, 'orderId', 'order'),
      );
    case 'referralReward':
      return firstId(ask, 'referralLink', 'linkId').then((id) => idOr(id, 'linkId', 'referral link'));
    case 'p2pAdvertisement':
      return firstId(ask, 'p2pMyAdvertisements', 'id').then((id) => idOr(id, 'id', 'advertisement of this user'));
    case 'p2pTrade':
      return firstId(ask, 'p2pMyTrades', 'id').then((id) => idOr(id, 'id', 'P2P trade of this user'));
    case 'p2pAdvertisements':
      return firstId(ask, 'p2pMarkets', 'marketId').then((id) =>
        id === null ? 'there is no P2P pair to ask for' : { query: { marketId: id, side: 'sell' } },
      );
    case 'cryptoAddress':
      return 'which currency and network have an address is not known';
    default:
      return {};
  }
}

export function shapeQuestions(ask: Ask, endpoints: EndpointTable, symbols: Symbols): readonly Question[] {
  return schemaRows.flatMap((row) =>
    row.endpoints.flatMap((name): readonly Question[] => {
      const { effect, access, answersSecret, method, path, purpose, provenance } = endpoints.get(name);
      if (effect !== 'read' || method !== 'GET' || answersSecret === true || access.kind === 'jwt-only') return [];
      const put = async (): Promise<Seen> => {
        const given = await givenFor(name, ask, symbols);
        if (typeof given === 'string') return unasked(given);
        return judged(await ask(name, given), (json) => shapeOf(json, row));
      };
      const where = provenance === 'assumed' ? 'path and answer are assumed' : 'the answer is assumed';
      return [
        {
          id: `answer/${name}`,
          question: `${purpose}: ${where}`,
          asked: `${method} ${path}`,
          assumed: READS,
          ask: put,
        },
      ];
    }),
  );
}
