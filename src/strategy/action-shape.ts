/** Checks the shape of what a strategy emits. Hand-written for speed. */
import { messageOf } from '../model/errors.ts';
import { nearest } from '../model/text/nearest.ts';
import type { Action, TargetAction } from '../model/trading/action.ts';
import type { ProgramKind } from '../model/trading/program.ts';

type Fields = Readonly<Record<string, unknown>>;
type Check = (action: Fields) => string | undefined;

/** Characters of names and refs, and of what is written for a reader: the journal keeps them. */
const NAME_MAX = 200;
const PROSE_MAX = 10_000;

const SIDES: ReadonlySet<unknown> = new Set(['buy', 'sell']);
const TYPES: ReadonlySet<unknown> = new Set(['limit', 'market']);
const TIMES: ReadonlySet<unknown> = new Set(['gtc', 'ioc']);
const POSITION_SIDES: ReadonlySet<unknown> = new Set(['both', 'long', 'short']);

const ACCOUNTS: ReadonlySet<unknown> = new Set(['funding', 'unified-trading', 'p2p', 'referral-program', 'overdraft']);
const STEPS: ReadonlySet<unknown> = new Set(['start', 'pay', 'confirm', 'dispute', 'cancel']);

export function describe(value: unknown): string {
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 60)}…` : value}'`;
  if (typeof value === 'function') return 'a function';
  if (value instanceof Promise) return 'a promise';
  if (value instanceof Date) return 'a Date';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null)
    return `an object with ${Object.keys(value).slice(0, 6).join(', ') || 'no keys'}`;
  return String(value);
}

export function withoutAsync(value: unknown): string {
  return value instanceof Promise ? ': remove async from the function that answers it' : '';
}

/** Structural, since strategies bring their own decimal library. */
function isDecimal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'toFixed' in value;
}

function amount(name: string, value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'string' || isDecimal(value)) return undefined;
  return `${name} must be a number, text or Decimal, got ${describe(value)}`;
}

function text(name: string, value: unknown, most = NAME_MAX): string | undefined {
  if (typeof value === 'string' && value.length > 0) return notLonger(name, value, most);
  return `${name} must be text, got ${value === '' ? 'empty text' : describe(value)}`;
}

function notLonger(name: string, { length }: string, most: number): string | undefined {
  return length <= most ? undefined : `${name} has ${length} characters, at most ${most} are taken`;
}

function optionalText(name: string, value: unknown, most = NAME_MAX): string | undefined {
  return value === undefined ? undefined : text(name, value, most);
}

function optionalFlag(name: string, value: unknown): string | undefined {
  return value === undefined || typeof value === 'boolean'
    ? undefined
    : `${name} must be true or false, got ${describe(value)}`;
}

function word(name: string, value: unknown, known: ReadonlySet<unknown>): string | undefined {
  if (known.has(value)) return undefined;
  return `${name} must be one of ${[...known].map(String).join(', ')}, got ${describe(value)}`;
}

function optionalWord(name: string, value: unknown, known: ReadonlySet<unknown>): string | undefined {
  return value === undefined ? undefined : word(name, value, known);
}

type Keys = ReadonlySet<string>;

/** A key that is not known would be left out: of `reduceonly` a new position would come. */
function unknownKey(value: Fields, known: Keys): string | undefined {
  for (const key in value) {
    // Own keys only; asked last, since nearly every key is known.
    if (known.has(key) || value[key] === undefined || !Object.hasOwn(value, key)) continue;
    const others = [...known].filter((one) => one !== 'kind');
    const [near] = nearest(key, others);
    return `there is no ${describe(key)}${near === undefined ? `, only ${others.join(', ')}` : `; did you mean ${near}?`}`;
  }
  return undefined;
}

const LEG_KEYS: Keys = new Set(['price', 'quantity', 'postOnly']);

function legs(name: string, value: unknown): string | undefined {
  if (!Array.isArray(value)) return `${name} must be an array of {price, quantity}, got ${describe(value)}`;
  for (let index = 0; index < value.length; index++) {
    const leg: unknown = value[index];
    if (typeof leg !== 'object' || leg === null)
      return `${name}[${index}] must be {price, quantity}, got ${describe(leg)}`;
    const { price, quantity, postOnly } = leg as Fields;
    const unknown = unknownKey(leg as Fields, LEG_KEYS);
    if (unknown !== undefined) return `${name}[${index}]: ${unknown}`;
    const problem =
      amount(`${name}[${index}].price`, price) ??
      amount(`${name}[${index}].quantity`, quantity) ??
      optionalFlag(`${name}[${index}].postOnly`, postOnly);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function texts(name: string, value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
  return isList ? undefined : `${name} must be an array of texts, got ${describe(value)}`;
}

function tolerance(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'object' || value === null)
    return `tolerance must be {priceTicks, quantityFraction}, got ${describe(value)}`;
  for (const name of Object.keys(value)) {
    const part = (value as Fields)[name];
    if (name !== 'priceTicks' && name !== 'quantityFraction')
      return `tolerance has no ${name}: only priceTicks and quantityFraction`;
    if (part !== undefined && !(typeof part === 'number' && part >= 0))
      return `tolerance.${name} must be a number of at least 0, got ${describe(part)}`;
  }
  return undefined;
}

const SOURCES: ReadonlySet<unknown> = new Set(['last', 'mid', 'bid-ask', 'mark']);
const STALE: ReadonlySet<unknown> = new Set(['hold', 'exit']);

/** The fields of each action but programs; `?`: may be absent. */
const PLAIN_FIELDS: Readonly<Record<Exclude<Action['kind'], ProgramKind>, string>> = {
  place: 'symbol side type quantity price? timeInForce? reduceOnly? positionSide? postOnly? ref? tag?',
  cancel: 'ref',
  cancelAll: 'symbol? tag?',
  quote: 'symbol bids asks tag? tolerance?',
  target: 'symbol quantity positionSide? via? tag?',
  flatten: 'symbol?',
  note: 'text data?',
  transfer: 'from to currency amount ref?',
  advertise: 'ref marketId side price amount minLimit maxLimit paymentMethodIds comment? active?',
  p2pTrade: 'tradeId do reason?',
};

/** The fields that each program has, beside those of all. Values and their meaning are checked by its rule. */
const PROGRAM_FIELDS: Readonly<Record<ProgramKind, string>> = {
  stop: 'symbol side quantity trigger limit? reduceOnly? positionSide?',
  trailingStop: 'symbol side quantity distance? bps? activation? step? reduceOnly? positionSide?',
  oco: 'symbol legs',
  bracket: 'entry takeProfit? stopLoss? trailing? timeLimit? reentry?',
  twap: 'symbol side quantity over slices? limit? urgency? reduceOnly? positionSide?',
  vwap: 'symbol side quantity over slices? limit? urgency? curve? reduceOnly? positionSide?',
  pov: 'symbol side quantity participation over limit? reduceOnly? positionSide?',
  iceberg: 'symbol side price quantity show variance? reduceOnly? positionSide?',
  chase: 'symbol side quantity offsetTicks? within? crossAfter? reduceOnly? positionSide?',
  grid: 'symbol low high levels quantity spacing? side? stopLoss? takeProfit?',
  dca: 'symbol side? levels takeProfit stopLoss? cooldown?',
  rebalance: 'weights band via?',
  pair: 'legs quantity maxUnhedged within',
};

const COMMON_FIELDS = ' ref? tag? expire? onStale? by?';

const KEYS: ReadonlyMap<unknown, Keys> = new Map([
  ...Object.entries(PLAIN_FIELDS).map(([kind, fields]): [string, Keys] => [kind, keysOf(fields)]),
  ...Object.entries(PROGRAM_FIELDS).map(([kind, fields]): [string, Keys] => [kind, keysOf(fields + COMMON_FIELDS)]),
]);

function keysOf(fields: string): Keys {
  return new Set(['kind', ...fields.replaceAll('?', '').split(' ')]);
}

const VIA_PROGRAMS = ['twap', 'chase', 'pov'] as const;
const VIA_EXPECTED = "via must be 'market', {limit: {price}} or one program such as {twap: {over}}, got ";
/** What the target says itself. */
const SAID = ['kind', 'symbol', 'side', 'quantity', 'reduceOnly', 'positionSide', 'ref', 'tag'];
const VIA_KEYS: ReadonlyMap<string, Keys> = new Map([
  ['limit', new Set(['price'])],
  ...VIA_PROGRAMS.map((kind): [string, Keys] => [
    kind,
    new Set([...KEYS.get(kind)!].filter((key) => !SAID.includes(key))),
  ]),
]);

function via(value: unknown): string | undefined {
  if (value === undefined || value === 'market') return undefined;
  if (typeof value !== 'object' || value === null) return VIA_EXPECTED + describe(value);
  const [way = '', ...others] = Object.keys(value);
  const keys = VIA_KEYS.get(way);
  const terms = (value as Fields)[way];
  if (keys === undefined || others.length > 0 || typeof terms !== 'object' || terms === null)
    return VIA_EXPECTED + describe(value);
  const unknown = unknownKey(terms as Fields, keys);
  if (unknown !== undefined) return `via.${way}: ${unknown}`;
  return way === 'limit' ? amount('via.limit.price', (terms as Fields)['price']) : undefined;
}

/** An order or program within a program; its rule checks the rest. */
function part(name: string, value: unknown, keys: Keys | undefined): string | undefined {
  if (keys === undefined || typeof value !== 'object' || value === null) return undefined;
  const unknown = unknownKey(value as Fields, keys);
  return unknown === undefined ? undefined : `${name}: ${unknown}`;
}

function parts(name: string, value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  for (const [index, one] of value.entries()) {
    const problem = part(`${name}[${index}]`, one, KEYS.get((one as Fields | null)?.['kind']));
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const PROGRAMS = Object.fromEntries(
  Object.entries(PROGRAM_FIELDS).map(([kind, fields]) => [kind, programCheck(fields.split(' '))]),
);

function programCheck(fields: readonly string[]): Check {
  const needed = fields.filter((field) => !field.endsWith('?'));
  return (a) => {
    for (const field of needed) if (a[field] === undefined) return `${field} is missing`;
    return (
      optionalText('symbol', a['symbol']) ??
      optionalText('ref', a['ref']) ??
      optionalText('tag', a['tag']) ??
      optionalText('expire', a['expire']) ??
      optionalWord('onStale', a['onStale'], STALE) ??
      optionalWord('by', a['by'], SOURCES) ??
      optionalFlag('reduceOnly', a['reduceOnly']) ??
      optionalWord('positionSide', a['positionSide'], POSITION_SIDES) ??
      part('entry', a['entry'], KEYS.get('place')) ??
      parts('legs', a['legs'])
    );
  };
}

const byKind: Readonly<Record<string, Check>> = {
  place: (a) =>
    text('symbol', a['symbol']) ??
    word('side', a['side'], SIDES) ??
    word('type', a['type'], TYPES) ??
    amount('quantity', a['quantity']) ??
    (a['price'] === undefined ? undefined : amount('price', a['price'])) ??
    optionalWord('timeInForce', a['timeInForce'], TIMES) ??
    optionalWord('positionSide', a['positionSide'], POSITION_SIDES) ??
    optionalFlag('reduceOnly', a['reduceOnly']) ??
    optionalFlag('postOnly', a['postOnly']) ??
    optionalText('ref', a['ref']) ??
    optionalText('tag', a['tag']),
  cancel: (a) => text('ref', a['ref']),
  cancelAll: (a) => optionalText('symbol', a['symbol']) ?? optionalText('tag', a['tag']),
  quote: (a) =>
    text('symbol', a['symbol']) ??
    legs('bids', a['bids']) ??
    legs('asks', a['asks']) ??
    optionalText('tag', a['tag']) ??
    tolerance(a['tolerance']),
  target: (a) =>
    text('symbol', a['symbol']) ??
    amount('quantity', a['quantity']) ??
    optionalWord('positionSide', a['positionSide'], POSITION_SIDES) ??
    via(a['via']) ??
    optionalText('tag', a['tag']),
  flatten: (a) => optionalText('symbol', a['symbol']),
  transfer: (a) =>
    word('from', a['from'], ACCOUNTS) ??
    word('to', a['to'], ACCOUNTS) ??
    text('currency', a['currency']) ??
    amount('amount', a['amount']) ??
    optionalText('ref', a['ref']),
  advertise: (a) =>
    text('ref', a['ref']) ??
    text('marketId', a['marketId']) ??
    word('side', a['side'], SIDES) ??
    amount('price', a['price']) ??
    amount('amount', a['amount']) ??
    amount('minLimit', a['minLimit']) ??
    amount('maxLimit', a['maxLimit']) ??
    texts('paymentMethodIds', a['paymentMethodIds']) ??
    optionalText('comment', a['comment'], PROSE_MAX) ??
    optionalFlag('active', a['active']),
  p2pTrade: (a) =>
    text('tradeId', a['tradeId']) ?? word('do', a['do'], STEPS) ?? optionalText('reason', a['reason'], PROSE_MAX),
  ...PROGRAMS,
  note: ({ text: said, data }) =>
    typeof said === 'string'
      ? (notLonger('text', said, PROSE_MAX) ?? json('data', data))
      : `text must be text, got ${describe(said)}`,
};

/** A cycle could not be journalled. */
function json(name: string, value: unknown): string | undefined {
  if (typeof value !== 'object' && typeof value !== 'bigint') return undefined;
  try {
    JSON.stringify(value);
    return undefined;
  } catch (thrown) {
    return `${name} cannot be kept as JSON: ${messageOf(thrown).split('\n', 1)[0]}`;
  }
}

const checks: ReadonlyMap<string, Check> = new Map(Object.entries(byKind));

/** The newest target that was checked and whose fields are no objects, so that it cannot change: it is not checked again. */
export const sound: { target: TargetAction | null } = { target: null };

/** The problem of an action's shape, or undefined. */
export function actionProblem(value: unknown): string | undefined {
  if (value === sound.target && value !== null) return undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `expected an action, got ${describe(value)}`;
  }
  const { kind } = value as Fields;
  if (typeof kind !== 'string') return `expected an action, got ${describe(value)}${withoutAsync(value)}`;
  const check = checks.get(kind);
  if (check === undefined) {
    const [near] = nearest(kind, [...checks.keys()]);
    return `there is no action '${kind}'${near === undefined ? '' : `; did you mean '${near}'?`}`;
  }
  const problem = unknownKey(value as Fields, KEYS.get(kind)!) ?? check(value as Fields);
  return problem === undefined ? undefined : `${kind}: ${problem}`;
}
