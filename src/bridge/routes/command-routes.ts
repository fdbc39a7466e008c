/** Commands to a session, and what waits for a decision. */
import { bridgeErrors } from '../errors.ts';
import type { SessionView } from '../fleet/session-view.ts';
import { decisionsOf } from '../../operations/plan/decisions.ts';
import type { WantedCommand } from '../fleet/orders.ts';
import { ASKED_BY, command, commandAccepted, planAnswer, type PlanAnswer } from '../schemas/command.ts';
import { confirmAnswer } from '../schemas/common.ts';
import { statusOf } from '../server/http-status.ts';
import { ok, route, type Caller, type Route, type RouteAnswer } from '../server/route.ts';
import type { BridgeContext } from './context.ts';
import { sessionId } from './session-routes.ts';

const KEY_MAX = 128;

const WAYS: Readonly<Record<Caller['by'], string>> = { bearer: 'api', cookie: 'dashboard', mcp: 'mcp' };

/** For the journal: who is let in, and for whom it says to ask. */
export function whoOf(caller: Caller | null, headers: Readonly<Record<string, string>>): string {
  const way = caller === null ? 'api' : `${WAYS[caller.by]} ${caller.address}`;
  const told = headers[ASKED_BY] ?? '';
  return /^[\x20-\x7e]{1,100}$/.test(told) ? `${told} by ${way}` : way;
}

/** Also for front ends that are no HTTP clients. Throws as `Orders.give`. */
export async function commandAnswer(
  view: SessionView,
  wanted: WantedCommand,
  who: string,
  key: string | null,
): Promise<RouteAnswer> {
  const answer = await view.orders.give(wanted, who, key);
  if (answer.kind === 'done') {
    const name = ('move' in wanted ? wanted.move?.kind : undefined) ?? wanted.command;
    return { status: 202, json: { seq: answer.seq, command: name, ts: answer.ts } };
  }
  if (answer.kind === 'failed') {
    const { code, message, remedy: hint, field } = answer;
    return {
      status: statusOf({ code }),
      json: { error: { code, message, ...(field === undefined ? {} : { field }), hint } },
    };
  }
  const { confirmCode, expiresAt, what } = answer;
  const { code, message, remedy } = bridgeErrors.make('bridge_confirmation_needed', `this would ${what}`);
  return {
    status: 409,
    json: { error: { code, message, hint: remedy }, confirm: { code: confirmCode, expiresAt, what } },
  };
}

/**
 * The session that a command is for. What another server passes on is for the session of this process alone. Throws
 * `bridge_unknown`, `bridge_not_commandable`.
 */
export function commandedSession(
  fleet: BridgeContext['fleet'],
  id: string,
  headers: Readonly<Record<string, string>>,
): SessionView {
  const view = fleet.find(id);
  if (view === fleet.own || headers[ASKED_BY] === undefined) return view;
  throw bridgeErrors.make('bridge_not_commandable', `${view.id} is not the session of the process that was asked`);
}

export function idempotencyKeyOf(headers: Readonly<Record<string, string>>): string | null {
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  if (key.length > 0 && key.length <= KEY_MAX && /^[\x21-\x7e]+$/.test(key)) return key;
  const message = `1 to ${KEY_MAX} visible ASCII characters are expected`;
  throw bridgeErrors.make('bridge_bad_request', message, { field: 'Idempotency-Key' });
}

export function commandRoutes({ fleet }: BridgeContext): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/v1/sessions/{id}/commands',
      name: 'command',
      summary: 'Give a command; what adds risk needs a second step',
      role: 'operate',
      params: sessionId,
      body: command,
      headers: { 'Idempotency-Key': 'The same key is carried out once and answered the same' },
      answers: {
        202: { about: 'Its entry is durable', schema: commandAccepted },
        409: {
          about: 'The state forbids it, or `confirm` says how to confirm it',
          schema: confirmAnswer.partial({ confirm: true }),
        },
      },
      handle: async ({ params, body, headers, caller }) =>
        commandAnswer(
          commandedSession(fleet, params.id, headers),
          body,
          whoOf(caller, headers),
          idempotencyKeyOf(headers),
        ),
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/plan',
      name: 'plan',
      summary: 'What waits for a human: halted symbols, liquidations to be divided',
      role: 'read',
      params: sessionId,
      answers: { 200: { about: 'What is open', schema: planAnswer } },
      handle: ({ params }) => ok(planOf(fleet.find(params.id))),
    }),
  ];
}

/** Also for front ends that are no HTTP clients. */
export function planOf(view: SessionView): PlanAnswer {
  view.catchUp();
  const state = view.replica()?.replay.state;
  if (state === undefined) return { session: view.id, halts: [], decisions: [] };
  return {
    session: view.id,
    halts: [...state.halts].map(([symbol, reason]) => ({ symbol, reason })),
    decisions: decisionsOf(state, []).map(({ id, kind, what, choices }) => ({
      id,
      kind,
      // Ids are KIND/SYMBOL/…
      symbol: id.split('/')[1] ?? '',
      what,
      choices: choices.map(({ name, does }) => ({ id: name, text: does })),
    })),
  };
}
