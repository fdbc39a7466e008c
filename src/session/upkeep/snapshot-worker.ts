/** Makes a snapshot and the sums beside it from rows, so the session copies no state. */
import { parentPort, workerData } from 'node:worker_threads';
import { readingJournal } from '../../journal/resume.ts';
import { Instruments } from '../../model/market/instrument.ts';
import { EarlierLegs } from '../result/earlier-legs.ts';
import { symbolFacts } from '../paper-venue/symbol-facts.ts';
import { RebuiltVenue } from '../paper-venue/rebuilt-venue.ts';
import { RunRecorder } from '../recorder/run-recorder.ts';
import type { SnapshotOrder } from './snapshot-watch.ts';

const { file, specs, reporting, fees } = workerData as SnapshotOrder;
const instruments = new Instruments(specs);
const recorder = new RunRecorder(instruments, reporting);
const venue = fees === undefined ? null : new RebuiltVenue(symbolFacts(instruments, fees));
parentPort?.postMessage(readingJournal(file, (journal) => EarlierLegs.resume(journal, recorder, venue).entries()));
