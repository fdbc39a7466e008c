/**
 * Sandbox-only operations on loopback (docs/sandbox.md), never affected by faults. `Origin` refuses browsers, `Host`
 * refuses DNS rebinding.
 */
import { accountTypes } from '../clearing/accounts.ts';
import type { Exchange } from './core/exchange.ts';
import { currencies } from './core/market/instruments.ts';
import { plainAddress } from './core/identity/keys.ts';
import { readBody } from './api.ts';
import type { SandboxRequest } from './authentication.ts';
import { readFaultRules, type FaultRule } from './faults.ts';
import { BadRequest, type Fields } from './fields.ts';
import { readInnerAmount } from './routes/money.ts';
import { badRequestReply, errorReply, jsonReply, notFoundReply, type Reply } from './reply.ts';

const FAULTS = '/sandbox/faults';
const NO_RULES = Buffer.from('{"rules":[]}');
/** Ten years per call. */
const ADVANCE_MS_MAX = 10 * 366 * 24 * 3_600_000;

export interface ControlPorts {
  readonly exchange: Exchange;
  now(): number;
  operate(run: (now: number) => void): void;
  advance(ms: number): void;
  setFaults(rules: readonly FaultRule[]): void;
}

export function isControlPath(path: string): boolean {
  return path.startsWith('/sandbox/');
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

function isOfAPage({ headers: { host, origin } }: SandboxRequest): boolean {
  return origin !== undefined || (host !== undefined && !LOOPBACK_HOST.test(host));
}

function isLoopback(address: string): boolean {
  const plain = plainAddress(address);
  return plain === '::1' || plain.startsWith('127.');
}

export function handleControl(ports: ControlPorts, request: SandboxRequest, path: string): Reply {
  if (!isLoopback(request.address) || request.method !== 'POST') {
    return notFoundReply(`there is no ${request.method} ${path}`);
  }
  if (isOfAPage(request))
    return errorReply(403, 'forbidden', `${path} answers no web page: send no Origin, and a loopback Host`);
  try {
    const operation = operations.get(path);
    const isClear = path === FAULTS && request.body.toString().trim() === '[]';
    const body = isClear ? NO_RULES : request.body;
    return operation?.(ports, readBody(body)) ?? notFoundReply(`there is no POST ${path}`);
  } catch (thrown) {
    if (thrown instanceof BadRequest) return badRequestReply(thrown);
    throw thrown;
  }
}

const operations: ReadonlyMap<string, (ports: ControlPorts, fields: Fields) => Reply> = new Map([
  ['/sandbox/clock', advance],
  [FAULTS, faults],
  ['/sandbox/deposit', deposit],
]);

function advance(ports: ControlPorts, fields: Fields): Reply {
  const ms = fields.optionalNumber('advanceMs', 0, ADVANCE_MS_MAX);
  if (ms === undefined) throw new BadRequest('advanceMs is missing', 'advanceMs');
  ports.advance(ms);
  return jsonReply(200, { now: ports.now() });
}

function faults(ports: ControlPorts, fields: Fields): Reply {
  const rules = readFaultRules(fields);
  ports.setFaults(rules);
  return jsonReply(200, { rules: rules.length });
}

function deposit(ports: ControlPorts, fields: Fields): Reply {
  const login = fields.text('login');
  const account = fields.oneOf('account', accountTypes);
  const currency = fields.oneOf('currency', mintable(ports.exchange));
  const amount = readInnerAmount(fields);
  if (amount.isZero()) throw new BadRequest('amount must be above zero', 'amount');
  const { accounts, identity, money } = ports.exchange;
  const user = identity.userByLogin(login);
  if (user === undefined) return notFoundReply(`there is no user ${login}`);
  ports.operate((now) => money.mint(user.userId, account, currency, amount, now));
  return jsonReply(200, { login, ...accounts.pocket(user.userId, account, currency).row() });
}

/** Including currencies of replayed instruments. */
function mintable({ markets }: Exchange): readonly string[] {
  const traded = [...markets.values()].flatMap(({ instrument: { base, quote, settle } }) => [base, quote, settle]);
  return [...new Set([...currencies.map((row) => row.currency), ...traded])];
}
