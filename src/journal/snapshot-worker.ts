/** Makes a snapshot from rows, so the session copies no state. */
import { parentPort, workerData } from 'node:worker_threads';
import { snapshotOf } from '../spine/snapshot/snapshot.ts';
import { replayJournal } from './resume.ts';

parentPort?.postMessage(snapshotOf(replayJournal(String(workerData))));
