/**
 * The floor of the subscribers' bench: `ws` that sends the same text to everyone, one `send` a frame, at the pace and size
 * of the sandbox's pushes, with no exchange behind it. Arguments: channels, frames a second of all of them together.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { answerQuestions, usage } from './processes.ts';
import type { SandboxReady, ServerQuestion } from './server-process.ts';

const [, , names = '', framesPerSecond = ''] = process.argv;
const channels = names.split(',');
const STEP_MS = 50;
const PAYLOAD = 'x'.repeat(230);

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (client) => {
  client.once('message', () =>
    client.send(JSON.stringify({ id: 1, method: 'subscribe', success: true, data: channels })),
  );
  client.on('message', () => {});
});

let sent = 0;
let lastMs = performance.now();
const timer = setInterval(() => {
  const nowMs = performance.now();
  // A server that cannot keep the pace falls behind it; it does not catch up.
  const due = sent + Math.round((Math.min(nowMs - lastMs, 2 * STEP_MS) / 1000) * Number(framesPerSecond));
  lastMs = nowMs;
  const ts = Math.floor(performance.timeOrigin + nowMs);
  for (; sent < due; sent++) {
    const channel = channels[sent % channels.length];
    const seq = Math.floor(sent / channels.length) + 1;
    const frame = Buffer.from(JSON.stringify({ channel, seq, ts, data: PAYLOAD }));
    for (const client of sockets.clients) client.send(frame, { binary: false });
  }
}, STEP_MS);

server.listen(0, '127.0.0.1', () => {
  const wsUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answerQuestions(async (question: ServerQuestion) => {
    if (question.kind === 'calm') clearInterval(timer);
    return usage({ collect: false });
  });
  process.send?.({ restUrl: '', wsUrl, users: [] } satisfies SandboxReady);
});
