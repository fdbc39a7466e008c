/** Results, searches, recordings and the effective configuration. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { sessionFiles } from '../../session/store/store.ts';
import { RecordingLosses } from '../research/recording-losses.ts';
import { recordingRow, recordingsIn } from '../research/recordings.ts';
import { Results } from '../research/results.ts';
import { driftAnswerOf } from '../research/drift.ts';
import { Searches } from '../research/searches.ts';
import {
  driftAnswer,
  recordingList,
  resultDocument,
  resultList,
  settingsAnswer,
  sweepDocument,
} from '../schemas/research.ts';
import { bridgeErrors } from '../errors.ts';
import { ok, route, type Route, type RouteAnswer } from '../server/route.ts';
import { sessionId } from './session-routes.ts';
import type { BridgeContext } from './context.ts';

const resultId = z.object({ id: z.string().max(64).describe('As in the list of results') });
const RUNS = ['backtest', 'paper', 'run', 'validate'] as const;

export function researchRoutes(context: BridgeContext): readonly Route[] {
  const { fleet, clock, settings, resultFolders, recordingFolders, sweepFolders } = context;
  const results = new Results(
    () => [...fleet.list().map(({ folder }) => folder.path), ...resultFolders],
    (path) => fleet.list().find(({ folder }) => folder.path === path)?.id ?? null,
  );
  const searches = new Searches(sweepFolders);
  const losses = new RecordingLosses(clock);
  const document = (id: string, kinds: Parameters<Results['text']>[1]): RouteAnswer => {
    const text = results.text(id, kinds);
    if (text !== null) return { status: 200, text, type: 'application/json' };
    const search = kinds.includes('sweep') ? searches.find(id) : null;
    if (search !== null) return ok(search);
    throw bridgeErrors.make('bridge_unknown', `no result ${id.slice(0, 40)}`, { field: 'id' });
  };
  return [
    route({
      method: 'GET',
      path: '/api/v1/results',
      name: 'results',
      summary: 'Results of backtests, sessions, searches and validations on disk, and searches that run, newest first',
      role: 'read',
      answers: { 200: { about: 'The results', schema: resultList } },
      handle: () => {
        const written = results.list();
        const running = searches.rows(results.studies());
        return ok({ results: [...running, ...written].toSorted((left, right) => right.at - left.at) });
      },
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
      summary: 'One search with its trials, as `sweep` wrote it, or as far as it is',
      role: 'read',
      params: resultId,
      answers: { 200: { about: 'The result file, or the trials so far', schema: sweepDocument } },
      handle: ({ params }) => document(params.id, ['sweep']),
    }),
    route({
      method: 'GET',
      path: '/api/v1/sessions/{id}/drift',
      name: 'drift',
      summary: 'The gap between a session and its backtest by cause, as `drift` last found it',
      role: 'read',
      params: sessionId,
      answers: { 200: { about: 'The report', schema: driftAnswer } },
      handle: ({ params }) => ok(driftAnswerOf(fleet.find(params.id).folder)),
    }),
    route({
      method: 'GET',
      path: '/api/v1/recordings',
      name: 'recordings',
      summary: 'Recordings on disk',
      role: 'read',
      answers: { 200: { about: 'The recordings', schema: recordingList } },
      handle: async () => {
        const ofSessions = fleet.list().flatMap((view) => {
          const path = join(view.folder.path, sessionFiles.recording);
          return existsSync(path) ? [{ path, session: view.id, running: view.isRunning() }] : [];
        });
        const places = [...ofSessions, ...recordingsIn(recordingFolders)];
        return ok({ recordings: await Promise.all(places.map((place) => recordingRow(place, losses))) });
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
