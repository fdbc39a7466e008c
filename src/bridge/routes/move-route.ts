/** A movement of money that a live session carries out, as a command: journalled, once a key, by its treasury. */
import { z } from 'zod';
import type { MoneySecrets } from '../../model/funds/money-commands.ts';
import type { RemoteMove } from '../../session/remote/remote-moves.ts';
import { secretHashOf } from '../../spine/money/content.ts';
import { bridgeErrors } from '../errors.ts';
import type { WantedCommand } from '../fleet/orders.ts';
import type { SessionView } from '../fleet/session-view.ts';
import { requireExists } from '../operations-table/exists.ts';
import { readsThrough } from '../operations-table/exchange-port.ts';
import type { OperationRow } from '../operations-table/operation-row.ts';
import { operationRouteName, operationRoutePath } from '../operations-table/route-names.ts';
import { confirmationCode } from '../schemas/command.ts';
import { confirmAnswer } from '../schemas/common.ts';
import { operationOrdered } from '../schemas/operations.ts';
import { route, type Route } from '../server/route.ts';
import { commandAnswer, commandedSession, idempotencyKeyOf, whoOf } from './command-routes.ts';
import type { BridgeContext } from './context.ts';
import { refusalOf } from './refused.ts';

const strategy = z.string().min(1).max(64).optional().describe('Whose limits allow it; without it the only one');
const ordered = {
  session: z.string().min(1).max(200).default('current').describe('The session that carries it out'),
  reason: z.string().min(1).max(500).describe('Why; stands in the journal'),
};

interface Ordered {
  readonly session: string;
  readonly reason: string;
  readonly strategy?: string;
  readonly code?: string;
  /** Of a code that is redeemed. */
  readonly text?: string;
}

export function moveRoute(row: OperationRow, { fleet, exchange, clock }: BridgeContext): readonly Route[] {
  const { call, params, about, confirmation, exists } = row;
  if (call.kind !== 'money') return [];
  const kind = call.command;
  const body = params.extend({
    ...ordered,
    ...(kind === 'transfer' ? { strategy } : {}),
    ...(confirmation === 'none' ? {} : { code: confirmationCode }),
  });
  return [
    route({
      method: 'POST',
      path: operationRoutePath(row),
      name: operationRouteName(row),
      summary: about,
      role: 'operate',
      body,
      headers: { 'Idempotency-Key': 'The same key is carried out once and answered the same' },
      answers: {
        202: { about: 'Its entry is durable; what becomes of it are entries after it', schema: operationOrdered },
        409: {
          about: 'A rule denies it, no key is here, or `confirm` says how to confirm it',
          schema: confirmAnswer.partial({ confirm: true }),
        },
      },
      handle: async ({ body: said, headers, caller }) => {
        const given = said as unknown as Ordered;
        const who = whoOf(caller, headers);
        const view = liveSession(fleet, given.session, headers);
        const key = idempotencyKeyOf(headers);
        try {
          // That of another process asks for itself.
          if (exists !== undefined && exchange !== null && view === fleet.own && !view.orders.knows(key))
            await requireExists(exists, readsThrough(exchange, clock), said);
        } catch (thrown) {
          return refusalOf(thrown);
        }
        return commandAnswer(view, wantedOf(kind, given), who, key);
      },
    }),
  ];
}

function wantedOf(kind: string, given: Ordered): WantedCommand {
  const { session: _, reason, strategy: tag, code, text, ...content } = given;
  const secrets: MoneySecrets = text === undefined ? {} : { code: text };
  const secretHash = secretHashOf(secrets);
  return {
    command: 'move',
    // An appeal says it to the staff, too.
    move: { kind, ...content, ...(kind === 'disputeTrade' ? { reason } : {}) } as RemoteMove,
    reason,
    ...(tag === undefined ? {} : { strategy: tag }),
    ...(code === undefined ? {} : { code }),
    ...(secretHash === undefined ? {} : { secrets, secretHash }),
  };
}

/** Throws `bridge_not_commandable`, `bridge_unknown`, `operation_no_key`. */
function liveSession(
  fleet: BridgeContext['fleet'],
  id: string,
  headers: Readonly<Record<string, string>>,
): SessionView {
  if (id === 'current' && fleet.own === null) {
    const why = 'this server has no session of its own; name one that runs live as `session`';
    throw bridgeErrors.make('bridge_not_commandable', why, { field: 'session' });
  }
  const view = commandedSession(fleet, id, headers);
  if (view.folder.record.mode === 'live') return view;
  throw bridgeErrors.make('operation_no_key', 'this session holds no API key, so that it cannot move money');
}
