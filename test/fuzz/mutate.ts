/**
 * Mutations of JSON text, as seeds draw them: what a broken, lying or newer exchange could send. Most change one token, so
 * that the rest still looks right; some break the text as a whole.
 */
import type { Random } from '../../src/model/ports.ts';

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:]/g;

/** In place of any value. */
const VALUES = [
  'null',
  'true',
  'false',
  '""',
  '[]',
  '{}',
  '[[]]',
  '[null]',
  '0',
  '-0',
  '-1',
  '1e5',
  '1e309',
  '-1e309',
  '1e-400',
  '5e-324',
  '9007199254740993',
  '18446744073709551616',
  '0.1234567890123456789012345678901234567890',
  '"0"',
  '"-1"',
  '"1e5"',
  '"NaN"',
  '"Infinity"',
  '"0x10"',
  '" 1 "',
  '"1,5"',
  '"٣"',
  '"\\u0000"',
  '"\\ud800"',
  '"💥"',
  '"__proto__"',
  '"constructor"',
  '"2026-13-45T99:99:99Z"',
  `"${'9'.repeat(400)}"`,
  `"${'x'.repeat(5000)}"`,
] as const;

/** Before the first key of an object. */
const INTRUDERS = [
  '"__proto__":{"polluted":true},',
  '"constructor":{"prototype":{"polluted":true}},',
  '"data":null,',
  '"data":[],',
  '"items":[],',
  '"nextCursor":"again",',
  '"success":false,',
  '"code":"order_not_found","message":"",',
  '"toString":1,"valueOf":1,"then":{},',
] as const;

const NESTED = 5000;

function pick<T>(random: Random, from: readonly T[]): T {
  const value = from[Math.floor(random.next() * from.length)];
  if (value === undefined) throw new RangeError('nothing to pick from');
  return value;
}

interface Span {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

function spans(text: string): Span[] {
  return [...text.matchAll(TOKEN)].map((match) => ({
    at: match.index,
    end: match.index + match[0].length,
    text: match[0],
  }));
}

function splice(text: string, { at, end }: { at: number; end: number }, by: string): string {
  return text.slice(0, at) + by + text.slice(end);
}

function isValue({ text }: Span): boolean {
  return !'{}[],:'.includes(text);
}

type Mutation = (text: string, random: Random) => string;

function cut(text: string, random: Random): string {
  return text.slice(0, Math.floor(random.next() * text.length));
}

function flip(text: string, random: Random): string {
  const at = Math.floor(random.next() * text.length);
  return splice(text, { at, end: at + 1 }, String.fromCharCode(Math.floor(random.next() * 0x250)));
}

function swapValue(text: string, random: Random): string {
  const values = spans(text).filter(isValue);
  return values.length === 0 ? text : splice(text, pick(random, values), pick(random, VALUES));
}

/** Two tokens change places: fields with each other's values, keys with values. */
function exchange(text: string, random: Random): string {
  const values = spans(text).filter(isValue);
  if (values.length < 2) return text;
  const [first, second] = [pick(random, values), pick(random, values)].toSorted((a, b) => a.at - b.at);
  if (first === undefined || second === undefined || first.at === second.at) return text;
  return splice(splice(text, second, first.text), first, second.text);
}

function dropToken(text: string, random: Random): string {
  const all = spans(text);
  return all.length === 0 ? text : splice(text, pick(random, all), '');
}

/** A member goes, so that the rest is still JSON. */
function dropMember(text: string, random: Random): string {
  const members = [...text.matchAll(/"[^"\\]*":(?:"(?:[^"\\]|\\.)*"|[^,{}[\]]+),/g)];
  if (members.length === 0) return text;
  const member = pick(random, members);
  return splice(text, { at: member.index, end: member.index + member[0].length }, '');
}

/** The same key a second time, with another value. */
function doubleKey(text: string, random: Random): string {
  const keys = [...text.matchAll(/("[^"\\]*"):/g)];
  if (keys.length === 0) return text;
  const key = pick(random, keys);
  return splice(text, { at: key.index, end: key.index }, `${key[1]}:${pick(random, VALUES)},`);
}

function intrude(text: string, random: Random): string {
  const objects = spans(text).filter(({ text: token }) => token === '{');
  if (objects.length === 0) return text;
  const { end } = pick(random, objects);
  return splice(text, { at: end, end }, pick(random, INTRUDERS));
}

function emptyList(text: string, random: Random): string {
  const lists = [...text.matchAll(/\[[^[\]]*\]/g)];
  if (lists.length === 0) return text;
  const list = pick(random, lists);
  return splice(text, { at: list.index, end: list.index + list[0].length }, pick(random, ['[]', 'null', '{}', '""']));
}

function nest(text: string, random: Random): string {
  const deep = random.next() < 0.5 ? '['.repeat(NESTED) + ']'.repeat(NESTED) : '{"a":'.repeat(NESTED);
  const values = spans(text).filter(isValue);
  return values.length === 0 ? deep : splice(text, pick(random, values), deep);
}

function replaceAll(_text: string, random: Random): string {
  return pick(random, [...VALUES, '', ' ', '<html><body>502 Bad Gateway</body></html>', '\ufeff{}', '{"data":', ']']);
}

/** How often each is drawn. */
const MUTATIONS: readonly (readonly [weight: number, mutate: Mutation])[] = [
  [30, swapValue],
  [15, exchange],
  [12, dropMember],
  [10, doubleKey],
  [8, intrude],
  [6, emptyList],
  [6, dropToken],
  [5, cut],
  [5, flip],
  [2, replaceAll],
  [1, nest],
];
const TOTAL = MUTATIONS.reduce((sum, [weight]) => sum + weight, 0);

function mutateOnce(text: string, random: Random): string {
  let draw = random.next() * TOTAL;
  for (const [weight, mutate] of MUTATIONS) {
    draw -= weight;
    if (draw < 0) return mutate(text, random);
  }
  return text;
}

/** One to three mutations, one on the other. */
export function mutateText(text: string, random: Random): string {
  let mutated = text;
  const count = random.next() < 0.7 ? 1 : random.next() < 0.7 ? 2 : 3;
  for (let round = 0; round < count; round++) mutated = mutateOnce(mutated, random);
  return mutated;
}
