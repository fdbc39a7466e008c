/** A worker of `batch.ts`: one seed at a time, as it is told. */
import { parentPort } from 'node:worker_threads';
import { runSeed, type SeedTask } from './batch.ts';

parentPort?.on('message', (task: SeedTask) => {
  void runSeed(task).then((answer) => parentPort?.postMessage(answer));
});
