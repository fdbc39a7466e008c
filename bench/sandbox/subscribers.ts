/**
 * A thousand subscribers of ten channels each, in two client processes, at the pace of the synthetic market: frames a
 * second, delivery time, CPU time of the server a frame, and what was lost: nothing may be. At the end the market is calmed
 * and every connection must have the same last push of every channel. Beside the same clients on a bare `ws` server.
 */
import { RUNS, print, spread, type Measured } from '../harness.ts';
import { BenchProcess, type Usage } from './processes.ts';
import type { SandboxReady, ServerQuestion } from './server-process.ts';
import type { EndsAnswer, SubscribersQuestion, WindowAnswer } from './subscribers-client.ts';

const SUBSCRIBERS = 1000;
const CLIENTS = 2;
const SECONDS = 10;
const CALM_MS = 2000;
const CHANNELS = [
  ...['BTCUSDT', 'ETHUSDT', 'BTCUSDTPERP', 'ETHUSDTPERP'].flatMap((symbol) => [`${symbol}@depth`, `${symbol}@trades`]),
  'BTCUSDT@ticker',
  'ETHUSDT@ticker',
];
/** The pace of the sandbox with these channels; frames a second and subscriber. */
const FLOOR_FRAMES_PER_SECOND = 66;

interface Window {
  readonly frames: number;
  readonly serverCpuUs: number;
  readonly serverCores: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Course {
  readonly windows: readonly Window[];
  readonly lost: number;
  readonly closed: number;
  readonly agree: boolean;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function windowOf(
  server: Server,
  clients: readonly Client[],
): Promise<Window & { readonly answers: readonly WindowAnswer[] }> {
  const usage: ServerQuestion = { kind: 'usage' };
  const ask: SubscribersQuestion = { kind: 'window' };
  const question = async (): Promise<readonly WindowAnswer[]> =>
    Promise.all(clients.map((client) => client.ask<WindowAnswer>(ask)));
  await question();
  const before = await server.ask<Usage>(usage);
  await pause(SECONDS * 1000);
  const after = await server.ask<Usage>(usage);
  const answers = await question();
  const frames = sum(answers.map((answer) => answer.frames));
  const cpuSeconds = after.cpuSeconds - before.cpuSeconds;
  return {
    answers,
    frames: frames / SECONDS,
    serverCpuUs: (cpuSeconds * 1e6) / frames,
    serverCores: cpuSeconds / SECONDS,
    p50Ms: Math.max(...answers.map((answer) => answer.p50Ms)),
    p99Ms: Math.max(...answers.map((answer) => answer.p99Ms)),
  };
}

type Server = BenchProcess<SandboxReady>;
type Client = BenchProcess<unknown>;

/** After the market has calmed down every connection of every client ends with the same push of each channel. */
async function endsAgree(server: Server, clients: readonly Client[]): Promise<boolean> {
  await server.ask<Usage>({ kind: 'calm' } satisfies ServerQuestion);
  await pause(CALM_MS);
  const ask: SubscribersQuestion = { kind: 'ends' };
  const ends = await Promise.all(clients.map((client) => client.ask<EndsAnswer>(ask)));
  return CHANNELS.every((channel) => {
    const seqs = ends.flatMap((each) => each[channel] ?? [0, -1]);
    return seqs.every((seq) => seq === seqs[0] && seq > 0);
  });
}

async function course(file: string, args: readonly string[]): Promise<Course> {
  const server: Server = await BenchProcess.start<SandboxReady>(file, args);
  const clients: Client[] = [];
  try {
    for (let count = 0; count < CLIENTS; count++) {
      const share = String(SUBSCRIBERS / CLIENTS);
      clients.push(await BenchProcess.start('subscribers-client.ts', [server.ready.wsUrl, share, CHANNELS.join(',')]));
    }
    const windows: Window[] = [];
    let last: readonly WindowAnswer[] = [];
    for (let round = -1; round < RUNS; round++) {
      const { answers, ...window } = await windowOf(server, clients);
      last = answers;
      if (round >= 0) windows.push(window);
    }
    const agree = await endsAgree(server, clients);
    return { windows, lost: sum(last.map((each) => each.lost)), closed: sum(last.map((each) => each.closed)), agree };
  } finally {
    for (const client of clients) await client.end();
    await server.end();
  }
}

export async function sandboxSubscribersBench(): Promise<void> {
  const floor = await course('floor-socket-server.ts', [CHANNELS.join(','), String(FLOOR_FRAMES_PER_SECOND)]);
  const sandbox = await course('server-process.ts', []);
  const show = (title: string, unit: string, figure: (window: Window) => number): void => {
    const row = (name: string, { windows }: Course): Measured => ({ name, values: spread(windows.map(figure)) });
    print(title, unit, [row('floor: bare ws, one send a frame', floor), row('sandbox', sandbox)]);
  };
  show(
    `${SUBSCRIBERS} subscribers of ${CHANNELS.length} channels, windows of ${SECONDS} s`,
    'frames a second',
    (window) => window.frames,
  );
  show('The same, p50 from the push to its subscriber', 'ms', (window) => window.p50Ms);
  show('The same, p99', 'ms', (window) => window.p99Ms);
  show("The same, the server's CPU time", 'µs a frame', (window) => window.serverCpuUs);
  show('The same, cores of the server', 'cores', (window) => window.serverCores);
  for (const [name, { lost, closed, agree }] of Object.entries({ floor, sandbox })) {
    console.log(
      `  ${name}: lost ${lost}, closed ${closed}, every subscriber at the same last push: ${agree ? 'yes' : 'NO'}`,
    );
  }
  if (sandbox.lost > 0 || sandbox.closed > 0 || !sandbox.agree) process.exitCode = 1;
}
