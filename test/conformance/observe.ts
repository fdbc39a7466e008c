/**
 * Reads what the raw client received for what it shows: which account, which documented field, which thing in which
 * state. Written from the documents alone, like the client: nothing of src/ is imported.
 */
import { saw } from './sightings.ts';

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Last known state of each thing; the key starts with the service it lives at. */
const states = new Map<string, string>();

function move(place: string, thing: string, id: string, to: string, by: string): void {
  const key = `${place} ${thing} ${id}`;
  const from = states.get(key) ?? 'none';
  if (from === to) return;
  states.set(key, to);
  saw('move', thing, from, to, by);
}

function fields(resource: string, object: Json): void {
  for (const [name, value] of Object.entries(object)) {
    const type = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    saw('field', resource, name, type);
  }
}

/** The moving things, each by the fields that it alone has. */
function thingOf(item: Json): readonly [thing: string, id: unknown] | undefined {
  if ('maxLimit' in item && 'idNumber' in item) return ['advertisement', item['id']];
  if ('advertisementId' in item && 'roomId' in item) return ['p2pTrade', item['id']];
  if ('applicationId' in item) return ['fiatApplication', item['applicationId']];
  if ('transactionId' in item && 'network' in item) return ['withdrawal', item['transactionId']];
  if ('codeId' in item) return ['code', item['codeId']];
  if ('orderId' in item && 'filledQuantity' in item) return ['order', item['orderId']];
  if ('publicKey' in item && 'permissions' in item) return ['apiKey', item['publicKey']];
  return undefined;
}

const documentedParts: Readonly<Record<string, string>> = {
  user: 'user',
  paymentMethods: 'paymentMethod',
  market: 'market',
  trades: 'p2pTrade',
  quoteCurrency: 'currency',
  baseCurrency: 'currency',
  marketPriceValidationRule: 'priceRule',
  params: 'priceRuleParams',
};

function part(resource: string, value: unknown): void {
  for (const item of Array.isArray(value) ? value : [value]) {
    if (!isObject(item)) continue;
    fields(resource, item);
    for (const [name, inner] of Object.entries(item)) {
      const below = documentedParts[name];
      if (below !== undefined && (resource !== 'user' || name !== 'trades')) part(below, inner);
    }
  }
}

/** What ended it by itself says so. */
function moverOf(item: Json, by: string): string {
  return text(item['reason']) === 'liquidation' ? 'liquidation' : by;
}

function observeItem(place: string, item: Json, by: string): void {
  const thing = thingOf(item);
  const status = text(item['status']);
  if (thing !== undefined && status !== '') move(place, thing[0], text(thing[1]), status, moverOf(item, by));
  if (thing?.[0] === 'advertisement') part('advertisement', item);
  if (thing?.[0] === 'p2pTrade') part('p2pTrade', item);
  if ('marketPriceValidationRule' in item) part('market', item);
  if ('account' in item) saw('account', text(item['account']));
  if ('type' in item && 'transactionId' in item) {
    saw('transaction', text(item['type']));
    for (const own of ['withdrawal', 'fiatApplication']) {
      const id = text(item['transactionId']);
      if (states.has(`${place} ${own} ${id}`)) move(place, own, id, status, 'time');
    }
  }
}

/** Positions have no id: one is open while it is listed, and closed when history has it. */
function observePosition(place: string, item: Json, by: string): void {
  if (!('entryPrice' in item && 'positionSide' in item)) return;
  const name = `${text(item['symbol'])}/${text(item['positionSide'])}`;
  const isClosed = 'closedAt' in item || Number(text(item['quantity'])) === 0;
  // A close that was seen as a push has its reason in the history alone.
  if (moverOf(item, by) !== by) saw('move', 'position', 'open', 'closed', moverOf(item, by));
  move(place, 'position', name, isClosed ? 'closed' : 'open', by);
}

/** A loan has no id either: one a caller. */
function observeLoan(place: string, item: Json, by: string): void {
  if (!('principal' in item && 'openedAt' in item)) return;
  const to = item['openedAt'] === null ? 'closed' : 'open';
  if (to === 'closed' && !states.has(`${place} overdraft own`)) return;
  move(place, 'overdraft', 'own', to, by);
}

/** Everything in a body or push. `place` is host and port, `by` is the request that changed it, `time` for what a look showed, `push`. */
export function observe(place: string, value: unknown, by: string, caller = ''): void {
  const list = isObject(value) && Array.isArray(value['items']) ? value['items'] : value;
  for (const item of Array.isArray(list) ? list : [list]) {
    if (!isObject(item)) continue;
    observeItem(place, item, by);
    observePosition(`${place} ${caller}`, item, by);
    observeLoan(`${place} ${caller}`, item, by);
  }
}

function codeOf(status: number, json: unknown, body: string): string {
  if (status < 400) return '';
  return isObject(json) ? text(json['code']) : body.trim();
}

export interface Exchange {
  readonly base: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly caller: string;
  readonly status: number;
  readonly json: unknown;
  readonly text: string;
}

const CREATE_KEY = '/api/v1/identity/client/api-key/create';

/** A request and its answer. */
export function observeExchange({ base, method, path, body, caller, status, json, text: answer }: Exchange): void {
  const bare = path.split('?')[0] ?? path;
  saw('rest', method, bare, status, codeOf(status, json, answer));
  if (method !== 'GET') observeRequest(bare, body, status, json);
  const by = method === 'GET' ? 'time' : `${method} ${bare}`;
  if (status < 400) observe(new URL(base).host, json, by, caller);
  if (status < 400 && bare === CREATE_KEY && isObject(json)) {
    fields('newApiKey', json);
    move(new URL(base).host, 'apiKey', text(json['publicKey']), 'active', by);
  }
  if (status === 200 && isObject(json) && json['status'] === 'deleted') {
    move(new URL(base).host, 'apiKey', text(json['publicKey']), 'deleted', by);
  }
}

function observeRequest(path: string, body: string, status: number, json: unknown): void {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    return;
  }
  if (!isObject(sent)) return;
  if (path === CREATE_KEY && Array.isArray(sent['permissions'])) {
    const code = codeOf(status, json, '');
    for (const row of sent['permissions']) {
      if (isObject(row)) saw('permission', text(row['category']), text(row['accessLevel']), code === '' ? 'ok' : code);
    }
  }
  if (status === 200 && 'from' in sent && 'to' in sent) {
    saw('account', text(sent['from']));
    saw('account', text(sent['to']));
  }
  if (path === '/sandbox/faults' && status === 200 && Array.isArray(sent['rules'])) {
    for (const rule of sent['rules']) if (isObject(rule)) saw('fault', text(rule['fault']));
  }
}

/** A frame of the exchange WebSocket. */
export function observeFrame(url: string, frame: Json, caller: string): void {
  const { channel, method, success, error, data } = frame;
  if ('pong' in frame) saw('message', 'ping', 'ok');
  if (typeof channel === 'string') {
    saw('push', channel);
    observe(new URL(url).host, data, 'push', caller);
    return;
  }
  const outcome = success === true ? 'ok' : text(error);
  if (method === 'auth') saw('login', outcome);
  else if ('success' in frame) saw('message', text(method) === '' ? '-' : text(method), outcome);
  if (method === 'subscribe' && Array.isArray(data)) for (const name of data) saw('channel', text(name), outcome);
}

/** A frame of the P2P socket. */
export function observeP2pEvent(url: string, frame: Json): void {
  saw('p2p', 'pong' in frame ? 'pong' : text(frame['event'] ?? frame['error']));
  observe(new URL(url).host, frame['data'], 'push');
}
