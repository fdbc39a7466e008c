/**
 * Clients of a dashboard, which come and go as their parent says: they follow the whole stream and read all of it. They are
 * other machines in real life, so that this process has the lowest priority and does as little as reading needs. That no
 * entry is missing is shown by `npm run soak:bridge`. Started by `followed.ts`.
 */
import { constants, setPriority } from 'node:os';
import { WebSocket } from 'ws';

export type FollowersOrder = 'come' | 'go';

const [, , url = '', token = '', count = '10'] = process.argv;

setPriority(constants.priority.PRIORITY_LOW);
let sockets: readonly WebSocket[] = [];

/** Once the snapshot is here. */
async function opened(): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream?depth=50`, {
    headers: { authorization: `Bearer ${token}` },
    skipUTF8Validation: true,
    perMessageDeflate: false,
  });
  await new Promise((resolve, reject) => {
    socket.once('message', resolve);
    socket.once('error', reject);
  });
  socket.on('message', () => {});
  socket.on('close', () => {
    if (sockets.includes(socket)) process.exit(1);
  });
  return socket;
}

process.on('message', (order: FollowersOrder) => {
  void (async () => {
    if (order === 'come') sockets = await Promise.all(Array.from({ length: Number(count) }, opened));
    else {
      const gone = sockets;
      sockets = [];
      await Promise.all(
        gone.map((socket) => {
          socket.close();
          return new Promise((resolve) => socket.once('close', resolve));
        }),
      );
    }
    process.send?.('done');
  })();
});
