/** Makes a snapshot and the sums beside it from rows, so the session copies no state. */
import { parentPort, workerData } from 'node:worker_threads';
import { readingJournal } from '../journal/resume.ts';
import { Instruments } from '../model/instrument.ts';
import { EarlierLegs } from './earlier-legs.ts';
import { RunRecorder } from './run-recorder.ts';
import type { SnapshotOrder } from './snapshot-watch.ts';

const { file, specs, reporting } = workerData as SnapshotOrder;
const recorder = new RunRecorder(new Instruments(specs), reporting);
parentPort?.postMessage(readingJournal(file, (journal) => EarlierLegs.resume(journal, recorder).entries()));
