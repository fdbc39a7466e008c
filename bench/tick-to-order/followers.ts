/** Clients of a dashboard: they follow the whole stream and read all of it. Started as a process by `followed.ts`. */
import { WebSocket } from 'ws';

const [, , url = '', token = '', count = '10'] = process.argv;

for (let i = 0; i < Number(count); i++) {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream?depth=50`, { headers });
  let last: number | null = null;
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as { readonly type: string; readonly seq: number };
    if (message.type !== 'entry' && message.type !== 'snapshot') return;
    if (last !== null && message.seq !== last + 1) throw new Error(`entry ${message.seq} came after ${last}`);
    last = message.seq;
  });
  socket.on('close', (code) => process.exit(code === 1001 ? 0 : 1));
}
