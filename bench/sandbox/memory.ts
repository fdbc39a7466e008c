/**
 * The heap of a sandbox over time, after a full collection every ten seconds, under orders, cancels and trades over HTTP,
 * subscribers, sockets that come, go and fall silent, and its own market. The histories of its users are filled first:
 * until then they grow by design (`historyMax`). The slope is fitted by least squares over what follows a first minute.
 */
import { WebSocket } from 'ws';
import { shown } from '../harness.ts';
import { BenchProcess, type Usage } from './processes.ts';
import type { RestAnswer, RestQuestion } from './rest-client.ts';
import type { SandboxReady, ServerQuestion } from './server-process.ts';

const SAMPLE_SECONDS = 10;
const SETTLE_SECONDS = 60;
const FILL_MS_MAX = 300_000;
const SUBSCRIBERS = 50;
const CHANNELS = ['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'BTCUSDTPERP', 'ETHUSDTPERP'].flatMap((symbol) => [
  `${symbol}@depth`,
  `${symbol}@trades`,
]);
/** Four connections, each with a pause of 20 ms after a create and its cancel; every fifth time one more order takes. */
const LOAD = { connections: 4, pauseMs: 20, takeEvery: 5 } as const;
const NEW_SOCKET_MS = 200;
const MEGABYTE = 1e6;

interface Sample {
  readonly seconds: number;
  readonly usage: Usage;
}

interface Slope {
  readonly perMinute: number;
  readonly error: number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Least squares of `y` over minutes, with the standard error of the slope. */
function slopeOf(points: readonly (readonly [minutes: number, y: number])[]): Slope {
  const count = points.length;
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / count;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / count;
  const xx = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  const perMinute = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / xx;
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - perMinute * (x - meanX)) ** 2, 0);
  return { perMinute, error: Math.sqrt(rest / (count - 2) / xx) };
}

/** Opens a socket every now and then; some close themselves, some just say nothing until the server closes them. */
function churn(wsUrl: string): () => void {
  let count = 0;
  const open = new Set<WebSocket>();
  const timer = setInterval(() => {
    const isSilent = ++count % 2 === 0;
    const socket = new WebSocket(`${wsUrl}/websocket/exchange`);
    open.add(socket);
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, method: 'subscribe', data: CHANNELS })));
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    if (!isSilent) setTimeout(() => socket.close(), 1000);
  }, NEW_SOCKET_MS);
  return () => {
    clearInterval(timer);
    for (const socket of open) socket.terminate();
  };
}

function show(samples: readonly Sample[]): void {
  for (const [index, { seconds, usage }] of samples.entries()) {
    if (index % 6 !== 0 && index !== samples.length - 1) continue;
    const { heapBytes, externalBytes, residentBytes } = usage;
    const sizes = [heapBytes, externalBytes, residentBytes].map((bytes) => shown(bytes / MEGABYTE).padStart(9));
    console.log(`  ${`${Math.round(seconds)} s`.padStart(8)}  ${sizes.join('  ')}`);
  }
}

function showSlope(name: string, samples: readonly Sample[], bytesOf: (usage: Usage) => number): void {
  const settled = samples.filter(({ seconds }) => seconds >= SETTLE_SECONDS);
  if (settled.length < 4) {
    console.log(`  ${name}: too few samples for a slope`);
    return;
  }
  const { perMinute, error } = slopeOf(settled.map(({ seconds, usage }) => [seconds / 60, bytesOf(usage) / 1000]));
  console.log(`  ${name}: ${shown(perMinute)} ± ${shown(error)} kB a minute (${settled.length} samples)`);
}

export async function sandboxMemoryBench(minutes: number): Promise<void> {
  const seconds = minutes * 60;
  const server = await BenchProcess.start<SandboxReady>('server-process.ts', []);
  const others: BenchProcess<unknown>[] = [];
  let stopChurn = (): void => {};
  try {
    const { restUrl, wsUrl, users } = server.ready;
    await server.ask<Usage>({ kind: 'fill' } satisfies ServerQuestion, FILL_MS_MAX);
    const loads = [];
    for (const { apiKey } of users) {
      const args = ['undici', restUrl, apiKey.publicKey, apiKey.secretKey];
      const client = await BenchProcess.start('rest-client.ts', args);
      others.push(client);
      const question: RestQuestion = { ...LOAD, seconds };
      loads.push(client.ask<RestAnswer>(question, (seconds + 60) * 1000));
    }
    others.push(await BenchProcess.start('subscribers-client.ts', [wsUrl, String(SUBSCRIBERS), CHANNELS.join(',')]));
    stopChurn = churn(wsUrl);
    const samples: Sample[] = [];
    for (let at = 0; at <= seconds; at += SAMPLE_SECONDS) {
      samples.push({ seconds: at, usage: await server.ask<Usage>({ kind: 'heap' } satisfies ServerQuestion) });
      if (at < seconds) await pause(SAMPLE_SECONDS * 1000);
    }
    const answers = await Promise.all(loads);
    const requests = answers.reduce((sum, answer) => sum + answer.requests / answer.seconds, 0);
    console.log(`\nMemory of the sandbox over ${minutes} minutes, ${shown(requests)} creates and cancels a second`);
    console.log('  MB after      heap   external   resident');
    show(samples);
    showSlope('slope of the heap', samples, (usage) => usage.heapBytes);
    showSlope('slope outside the heap', samples, (usage) => usage.externalBytes);
    showSlope('slope of the resident size', samples, (usage) => usage.residentBytes);
  } finally {
    stopChurn();
    for (const each of others) await each.end();
    await server.end();
  }
}
