/** The dead man's handle of a paper session: pings come while it trades, and stop with its kill switch. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { beforeRemoval, freshFolder, start, strategyFile } from './cli.ts';
import { sessions } from './session-view.ts';

it('a session pings the outside watcher while it is healthy, and says why it stops', async () => {
  const cwd = freshFolder();
  let pings = 0;
  const server = createServer((_request, response) => {
    pings++;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  beforeRemoval(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping`;
  writeFileSync(join(cwd, 'c.yaml'), JSON.stringify({ alerts: [{ ping: { url, every: '5s' } }] }));
  const running = start(['paper', strategyFile('spread-maker'), '--config', 'c.yaml', '--json'], { cwd });
  await running.during('two pings', () => (pings >= 2 ? true : undefined));
  const [session] = await sessions(cwd);
  writeFileSync(join(session?.path ?? '', 'KILL'), 'enough\n');
  const silent = 'the outside watcher gets no ping';
  await running.during('silence', () => (running.stderr.includes(silent) ? true : undefined));
  const line = running.stderr.split('\n').find((text) => text.includes(silent));
  expect(line).toContain('the kill switch is on: enough');
  expect(running.stderr).not.toContain(url);
  const before = pings;
  await running.signal('SIGINT');
  expect(pings).toBe(before);
});
