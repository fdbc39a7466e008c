/** All rows of the API. Another part of the bridge adds its own here. */
import type { Route } from '../server/route.ts';
import { accessRoutes } from './access-routes.ts';
import { commandRoutes } from './command-routes.ts';
import type { BridgeContext } from './context.ts';
import { insightRoutes } from './insight-routes.ts';
import { marketRoutes } from './market-routes.ts';
import { operationRoutes } from './operation-routes.ts';
import { recordedRoutes } from './recorded-routes.ts';
import { remoteRoutes } from './remote-routes.ts';
import { researchRoutes } from './research-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { specificationRoute } from './specification-route.ts';

export function routesOf(context: BridgeContext): readonly Route[] {
  const rows = [
    ...accessRoutes(context),
    ...sessionRoutes(context),
    ...marketRoutes(context),
    ...recordedRoutes(context),
    ...insightRoutes(context),
    ...commandRoutes(context),
    ...researchRoutes(context),
    ...remoteRoutes(context),
    ...operationRoutes(context),
  ];
  return [specificationRoute(rows, context.version), ...rows];
}
