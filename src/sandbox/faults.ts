/**
 * Injected faults (docs/sandbox.md). The first matching rule whose chance occurs applies.
 *
 *   delay           answer (or push) later by `ms`            dropAfterEffect  the effect happens, the answer is lost
 *   drop            the connection dies, no effect            status           answered with `status`, no effect
 *   rateLimit       429 with Retry-After of `ms`, no effect   disconnect       sockets (of the channel) die
 *   mute            pushes of the channel are lost            gap              every other push is lost
 *   takerSide       own trades have the taker's side          falseStatus      own resting orders have `status`
 *   falseCancel     cancels are answered as done, no effect   falseRefusal     the effect happens, the answer refuses it
 */
import type { Random } from '../model/ports.ts';
import { BadRequest, type Fields } from './fields.ts';
import { falseStatuses, isRetelling, retellings, type FalseStatus } from './retellings.ts';

export const faultKinds = [
  'delay',
  'drop',
  'dropAfterEffect',
  'status',
  'mute',
  'gap',
  'disconnect',
  'rateLimit',
  'takerSide',
  'falseStatus',
  'falseCancel',
  'falseRefusal',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** Another name would match everything. */
const MATCHED = ['method', 'path', 'channel'];
const RULES_MAX = 100;
const DELAY_MS_MAX = 3_600_000;

export interface FaultRule {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly channel: string | undefined;
  readonly fault: FaultKind;
  readonly p: number;
  readonly ms: number;
  readonly status: number;
  readonly told: FalseStatus;
  left: number;
  /** Of `gap`: the next push is lost. */
  drops: boolean;
}

/** Throws `BadRequest`. */
export function readFaultRules(body: Fields): FaultRule[] {
  return body.objects('rules', RULES_MAX).map((rule) => {
    const match = rule.optionalObject('match');
    match?.only(MATCHED);
    const fault = rule.oneOf('fault', faultKinds);
    const isFalse = fault === 'falseStatus';
    const told = isFalse && rule.has('status') ? rule.oneOf('status', falseStatuses) : 'canceled';
    const status = isFalse ? undefined : rule.optionalInteger('status', 100, 599);
    if (fault === 'status' && status !== undefined && status < 200) {
      throw new BadRequest('the fault status needs a status from 200 to 599', 'status');
    }
    return {
      method: match?.optionalText('method')?.toUpperCase(),
      path: match?.optionalText('path'),
      channel: match?.optionalText('channel'),
      fault,
      p: rule.optionalNumber('p', 0, 1) ?? 1,
      ms: rule.optionalNumber('ms', 0, DELAY_MS_MAX) ?? 1000,
      status: status ?? 500,
      told,
      left: rule.optionalInteger('times', 0, Number.MAX_SAFE_INTEGER) ?? Number.POSITIVE_INFINITY,
      drops: true,
    };
  });
}

/** `*`: anything; `{name}`: one path segment. */
export function fitsPattern(pattern: string | undefined, text: string): boolean {
  if (pattern === undefined || pattern === text) return true;
  if (!/[*{]/.test(pattern)) return false;
  const source = pattern
    .split(/(\*|\{\w+\})/)
    .map((part) =>
      part === '*' ? '.*' : /^\{\w+\}$/.test(part) ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  return new RegExp(`^${source}$`).test(text);
}

export class Faults {
  #rules: FaultRule[] = [];
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  set(rules: readonly FaultRule[]): void {
    this.#rules = [...rules];
  }

  /** `path` without query. */
  forRequest(method: string, path: string): FaultRule | undefined {
    return this.#rules.find((rule) => {
      const { fault } = rule;
      if (fault === 'mute' || fault === 'gap' || isRetelling(fault)) return false;
      if (fault === 'disconnect' && rule.path === undefined) return false;
      return isOfRequest(rule, method, path) && this.#strikes(rule);
    });
  }

  forPush(channel: string): FaultRule | undefined {
    return this.#rules.find((rule) => {
      const { fault } = rule;
      const general = fault === 'mute' || fault === 'gap' || fault === 'disconnect';
      if (!general && (rule.channel === undefined || (fault !== 'delay' && fault !== 'drop'))) return false;
      if (!isOfPush(rule, channel)) return false;
      if (fault !== 'gap') return this.#strikes(rule);
      const isLost = rule.drops && this.#strikes(rule);
      rule.drops = !isLost;
      return isLost;
    });
  }

  answerTold(method: string, path: string, text: string): string {
    return this.#told(text, (rule) => isOfRequest(rule, method, path));
  }

  pushTold(channel: string, text: string): string {
    return this.#told(text, (rule) => isOfPush(rule, channel));
  }

  #told(text: string, matches: (rule: FaultRule) => boolean): string {
    let told = text;
    for (const rule of this.#rules) {
      if (!isRetelling(rule.fault) || !matches(rule)) continue;
      const retold = retellings[rule.fault](told, rule.told);
      if (retold !== told && this.#strikes(rule)) told = retold;
    }
    return told;
  }

  /** Channel patterns; undefined: every socket. */
  takeDisconnects(): readonly (string | undefined)[] {
    const now = this.#rules.filter((rule) => rule.fault === 'disconnect' && rule.path === undefined);
    return now.filter((rule) => this.#strikes(rule)).map((rule) => rule.channel);
  }

  #strikes(rule: FaultRule): boolean {
    if (rule.left <= 0 || (rule.p < 1 && this.#random.next() >= rule.p)) return false;
    rule.left--;
    return true;
  }
}

function isOfRequest({ channel, method, path }: FaultRule, wantedMethod: string, wantedPath: string): boolean {
  return channel === undefined && fitsPattern(method, wantedMethod) && fitsPattern(path, wantedPath);
}

function isOfPush({ channel, method, path }: FaultRule, wanted: string): boolean {
  return path === undefined && method === undefined && fitsPattern(channel, wanted);
}
