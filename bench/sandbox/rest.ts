/**
 * Signed orders over HTTP on loopback, server and client in a process each: creates and cancels a second, round trips as
 * the client sees them, and the server's CPU time. Beside a bare server that answers a constant to the same requests.
 */
import { RUNS, print, spread, type Measured } from '../harness.ts';
import { BenchProcess, type Usage } from './processes.ts';
import type { RestAnswer, RestQuestion } from './rest-client.ts';
import type { SandboxReady, ServerQuestion } from './server-process.ts';

const SECONDS = 10;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = 16;

interface Row {
  readonly name: string;
  readonly server: BenchProcess<SandboxReady>;
  readonly client: BenchProcess<unknown>;
  readonly connections: number;
  readonly runs: (RestAnswer & { readonly cpuUs: number })[];
}

async function run(row: Row, seconds: number): Promise<RestAnswer & { readonly cpuUs: number }> {
  const question: ServerQuestion = { kind: 'usage' };
  const before = await row.server.ask<Usage>(question);
  const load: RestQuestion = { connections: row.connections, seconds };
  const answer = await row.client.ask<RestAnswer>(load, (seconds + 30) * 1000);
  const after = await row.server.ask<Usage>(question);
  return { ...answer, cpuUs: ((after.cpuSeconds - before.cpuSeconds) * 1e6) / answer.requests };
}

export async function sandboxRestBench(): Promise<void> {
  const processes: BenchProcess<unknown>[] = [];
  const start = async <Ready>(file: string, args: readonly string[]): Promise<BenchProcess<Ready>> => {
    const started = await BenchProcess.start<Ready>(file, args);
    processes.push(started);
    return started;
  };
  try {
    const floor = await start<SandboxReady>('floor-server.ts', []);
    const sandbox = await start<SandboxReady>('server-process.ts', []);
    const key = sandbox.ready.users[0]?.apiKey;
    const client = (server: BenchProcess<SandboxReady>, transport: string): Promise<BenchProcess<unknown>> =>
      start('rest-client.ts', [transport, server.ready.restUrl, key?.publicKey ?? '', key?.secretKey ?? '']);
    const row = async (name: string, server: BenchProcess<SandboxReady>, transport: string, connections: number) =>
      ({ name, server, client: await client(server, transport), connections, runs: [] }) satisfies Row;
    const rows: readonly Row[] = [
      await row(`floor: bare node:http, undici pool of ${CONNECTIONS}`, floor, 'undici', CONNECTIONS),
      await row(`sandbox, undici pool of ${CONNECTIONS}`, sandbox, 'undici', CONNECTIONS),
      await row(`floor: bare node:http, http agent of ${CONNECTIONS}`, floor, 'http', CONNECTIONS),
      await row(`sandbox, http agent of ${CONNECTIONS}`, sandbox, 'http', CONNECTIONS),
      await row('floor: bare node:http, one undici connection', floor, 'undici', 1),
      await row('sandbox, one undici connection', sandbox, 'undici', 1),
    ];
    for (const each of rows) await run(each, WARM_UP_SECONDS);
    for (let round = 0; round < RUNS; round++) {
      for (const each of rows) each.runs.push(await run(each, SECONDS));
    }
    const show = (title: string, unit: string, figure: (answer: Row['runs'][number]) => number): void =>
      print(
        title,
        unit,
        rows.map((each): Measured => ({ name: each.name, values: spread(each.runs.map(figure)) })),
      );
    show(
      `Signed orders over HTTP, half creates, half cancels, ${SECONDS} s a run`,
      'requests a second',
      (answer) => answer.requests / answer.seconds,
    );
    show('The same, p50 of a round trip', 'µs', (answer) => answer.p50Us);
    show('The same, p99 of a round trip', 'µs', (answer) => answer.p99Us);
    show("The same, the server's CPU time", 'µs a request', (answer) => answer.cpuUs);
  } finally {
    for (const each of processes) await each.end();
  }
}
