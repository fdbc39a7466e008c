/** Results, searches, recordings and the effective configuration. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sessionFiles } from '../../session/store.ts';
import { recordingRow, recordingsIn } from '../research/recordings.ts';
import { Results } from '../research/results.ts';
import { recordingList, resultDocument, resultList, settingsAnswer } from '../schemas/research.ts';
import { ok, route, type Route } from '../server/route.ts';
import type { BridgeContext } from './context.ts';

const resultId = z.object({ id: z.string().max(64).describe('As in the list of results') });
const RUNS = ['backtest', 'paper', 'run', 'validate'] as const;

export function researchRoutes(context: BridgeContext): readonly Route[] {
  const { fleet, settings, resultFolders, recordingFolders } = context;
  const results = new Results(() => [...fleet.list().map(({ folder }) => folder.path), ...resultFolders]);
  const document = (id: string, kinds: Parameters<Results['text']>[1]) => {
    return { status: 200, text: results.text(id, kinds), type: 'application/json' };
  };
  return [
    route({
      method: 'GET',
      path: '/api/v1/results',
      name: 'results',
      summary: 'Results of backtests, sessions, searches and validations on disk, newest first',
      role: 'read',
      answers: { 200: { about: 'The results', schema: resultList } },
      handle: () => ok({ results: results.list() }),
    }),
    route({
      method: 'GET',
      path: '/api/v1/results/{id}',
      name: 'result',
      summary: 'One result, as its command wrote it',
      role: 'read',
      params: resultId,
      answers: { 200: { about: 'The result file', schema: resultDocument } },
      handle: ({ params }) => document(params.id, RUNS),
    }),
    route({
      method: 'GET',
      path: '/api/v1/sweeps/{id}',
      name: 'sweep',
      summary: 'One search with its trials, as `sweep` wrote it',
      role: 'read',
      params: resultId,
      answers: { 200: { about: 'The result file', schema: resultDocument } },
      handle: ({ params }) => document(params.id, ['sweep']),
    }),
    route({
      method: 'GET',
      path: '/api/v1/recordings',
      name: 'recordings',
      summary: 'Recordings on disk',
      role: 'read',
      answers: { 200: { about: 'The recordings', schema: recordingList } },
      handle: () => {
        const ofSessions = fleet.list().flatMap((view) => {
          const path = join(view.folder.path, sessionFiles.recording);
          return existsSync(path) ? [{ path, session: view.id, running: view.isRunning() }] : [];
        });
        return ok({ recordings: [...ofSessions, ...recordingsIn(recordingFolders)].map(recordingRow) });
      },
    }),
    route({
      method: 'GET',
      path: '/api/v1/settings',
      name: 'settings',
      summary: 'The effective configuration, secrets left out, with the layer that won',
      role: 'read',
      answers: { 200: { about: 'The configuration', schema: settingsAnswer } },
      handle: () => ok({ settings }),
    }),
  ];
}
