/**
 * Many subscribers in one process: each connection subscribes the same channels and holds every push against the last
 * one of its channel; a gap is counted as lost, whatever else happens. Delivery time is the client's clock less the `ts`
 * of the push, which is cut to the millisecond. Arguments: socket address, connections, channels.
 */
import { WebSocket } from 'ws';
import { answerQuestions, usage } from './processes.ts';

export type SubscribersQuestion = { readonly kind: 'window' } | { readonly kind: 'ends' };

/** What happened since the last question. */
export interface WindowAnswer {
  readonly frames: number;
  readonly bytes: number;
  readonly lost: number;
  readonly closed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly cpuSeconds: number;
}

/** Per channel the lowest and the highest sequence number that a connection ended with. */
export type EndsAnswer = Readonly<Record<string, readonly [lowest: number, highest: number]>>;

const [, , wsUrl = '', connections = '', names = ''] = process.argv;
const channels = names.split(',');
const PREFIX = '{"channel":"';
/** Channel, sequence number and time stand at the beginning of a push. */
const HEAD_BYTES = 96;
const HEAD = /^\{"channel":"([^"]+)","seq":(\d+),"ts":(\d+)/;
const CONNECT_AT_ONCE = 50;
/** Every so many frames one is timed. */
const TIMED_EVERY = 7;

let frames = 0;
let bytes = 0;
let lost = 0;
let closed = 0;
let times: number[] = [];
const lastSeqs: Map<string, number>[] = [];

const nowMs = (): number => performance.timeOrigin + performance.now();

function hear(seqs: Map<string, number>, data: Buffer): void {
  const head = data.toString('latin1', 0, HEAD_BYTES);
  if (!head.startsWith(PREFIX)) return;
  const [, channel = '', seqText = '', ts = ''] = HEAD.exec(head) ?? [];
  const seq = Number(seqText);
  const last = seqs.get(channel);
  if (last !== undefined && seq !== last + 1) lost += Math.max(1, seq - last - 1);
  seqs.set(channel, seq);
  frames++;
  bytes += data.length;
  if (frames % TIMED_EVERY === 0) times.push(nowMs() - Number(ts));
}

function connect(): Promise<void> {
  const seqs = new Map<string, number>();
  lastSeqs.push(seqs);
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${wsUrl}/websocket/exchange`, { perMessageDeflate: false });
    socket.on('open', () => {
      socket.send(JSON.stringify({ id: 1, method: 'subscribe', data: channels }));
      // Sockets that say nothing are closed as idle.
      setInterval(() => socket.send('{"method":"ping"}'), 10_000);
    });
    socket.once('message', () => resolve());
    socket.on('message', (data: Buffer) => hear(seqs, data));
    socket.on('error', reject);
    socket.on('close', () => closed++);
  });
}

function window(): WindowAnswer {
  const sorted = Float64Array.from(times).toSorted();
  const at = (fraction: number): number => sorted[Math.floor((sorted.length - 1) * fraction)] ?? Number.NaN;
  const { cpuSeconds } = usage({ collect: false });
  const answer = { frames, bytes, lost, closed, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1), cpuSeconds };
  frames = 0;
  bytes = 0;
  times = [];
  return answer;
}

function ends(): EndsAnswer {
  const found: Record<string, readonly [number, number]> = {};
  for (const channel of channels) {
    const seqs = lastSeqs.map((each) => each.get(channel) ?? 0);
    found[channel] = [Math.min(...seqs), Math.max(...seqs)];
  }
  return found;
}

for (let left = Number(connections); left > 0; left -= CONNECT_AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(left, CONNECT_AT_ONCE) }, connect));
}
answerQuestions(async (question: SubscribersQuestion) => (question.kind === 'window' ? window() : ends()));
process.send?.({});
