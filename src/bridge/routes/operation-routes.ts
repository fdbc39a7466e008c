/** Operations of the exchange, made from the operations table. */
import { endpointRows } from '../../exchange/interface/endpoint-rows.ts';
import { bridgeErrors } from '../errors.ts';
import { readsThrough } from '../operations-table/exchange-port.ts';
import type { OperationRow } from '../operations-table/operation-row.ts';
import { operations } from '../operations-table/table.ts';
import { operationRouteName, operationRoutePath, operationsPath } from '../operations-table/route-names.ts';
import { operationList, type OperationList } from '../schemas/operations.ts';
import { ok, route, type Route } from '../server/route.ts';
import type { BridgeContext } from './context.ts';
import { moveRoute } from './move-route.ts';
import { refusalOf } from './refused.ts';

function isOnApi({ surface }: OperationRow): boolean {
  return surface.includes('api');
}

export function operationRoutes(context: BridgeContext): readonly Route[] {
  const turn = new ReadTurns();
  return [
    listRoute(),
    ...operations.filter(isOnApi).flatMap((row) => [...readRoute(row, context, turn), ...moveRoute(row, context)]),
  ];
}

function listRoute(): Route {
  return route({
    method: 'GET',
    path: operationsPath,
    name: 'operations',
    summary: 'Every operation of the exchange: what it is for, what it moves, and by which ways it can be had',
    role: 'read',
    answers: { 200: { about: 'The operations', schema: operationList } },
    handle: () => ok({ operations: operations.map(shown) }),
  });
}

type Shown = OperationList['operations'][number];

/** The strictest of what its endpoints ask for. */
function accessOf({ endpoints }: OperationRow): Shown['access'] {
  const kinds = endpointRows.filter(({ name }) => endpoints.includes(name)).map(({ access }) => access.kind);
  if (kinds.includes('jwt-only')) return 'login';
  return kinds.every((kind) => kind === 'public') ? 'public' : 'key';
}

function shown(row: OperationRow): Shown {
  const { name, about, command, moves, confirmation, surface, terminalOnly } = row;
  const method = row.call.kind === 'read' ? ('GET' as const) : ('POST' as const);
  const api = isOnApi(row) ? { method, path: operationRoutePath(row) } : null;
  return { name, about, access: accessOf(row), moves, confirmation, surface: [...surface], command, api, terminalOnly };
}

function readRoute(row: OperationRow, { exchange, clock }: BridgeContext, turns: ReadTurns): readonly Route[] {
  const { call, params, output, about } = row;
  if (call.kind !== 'read') return [];
  return [
    route({
      method: 'GET',
      path: operationRoutePath(row),
      name: operationRouteName(row),
      summary: about,
      role: 'read',
      query: params,
      answers: {
        200: { about: 'What the exchange answered', schema: output },
        409: { about: 'It needs an API key, and this process holds none; or the exchange refused it' },
        503: { about: 'The exchange cannot be reached' },
      },
      handle: async ({ query }) => {
        if (exchange === null)
          throw bridgeErrors.make('operation_no_exchange', 'this process is connected to no exchange');
        try {
          const answer = await turns.take(() => call.run(readsThrough(exchange, clock), query));
          if (answer !== null) return ok(output.parse(answer));
          throw bridgeErrors.make('bridge_too_many', `${READS_MAX} reads of the exchange are under way already`);
        } catch (thrown) {
          return refusalOf(thrown);
        }
      },
    }),
  ];
}

/** Reads at a time. More are refused, so that none pile up before the session. */
const READS_MAX = 8;

class ReadTurns {
  #underWay = 0;

  /** Null: too many are under way. */
  async take<T>(run: () => Promise<T>): Promise<T | null> {
    if (this.#underWay >= READS_MAX) return null;
    this.#underWay += 1;
    try {
      return await run();
    } finally {
      this.#underWay -= 1;
    }
  }
}
