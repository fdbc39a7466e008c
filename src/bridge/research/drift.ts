/** What `drift` last found of a session. It runs the strategy again, so that the server only reads its report. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sessionFiles, type SessionFolder } from '../../session/store/store.ts';
import { driftReport, type DriftAnswer } from '../schemas/research.ts';

export function driftAnswerOf({ path, record }: SessionFolder): DriftAnswer {
  return { report: read(path, record.decidingFrom), command: `npx tidewire drift ${record.id}` };
}

/** Null also where the session has started again since. */
function read(path: string, decidingFrom: number | null): DriftAnswer['report'] {
  try {
    const report = driftReport.parse(JSON.parse(readFileSync(join(path, sessionFiles.drift), 'utf8')));
    return report.period.from === decidingFrom ? report : null;
  } catch {
    return null;
  }
}
