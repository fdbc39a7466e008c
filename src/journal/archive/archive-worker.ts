/** Worker thread that keeps compression and disk waits off the session. */
import { parentPort, workerData } from 'node:worker_threads';
import { makeSegment } from './make-segment.ts';

parentPort?.postMessage(makeSegment(String(workerData)));
