/**
 * `npm run soak:bridge -- [--minutes 60] [--seed 1]`: a paper session followed by clients that come and go. Three stay,
 * seven leave at any moment and return after the last entry that they have, one never reads. Ends with 1 when an entry is
 * missing or comes twice, or when a client has not all of them at the end.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import WebSocket from 'ws';
import { seededRandom } from '../../src/model/random.ts';
import { Api, PaperSession, until } from './paper-session.ts';
import { patient } from './patient.ts';
import { Follower } from './soak/follower.ts';

const STAY = 3;
const COME_AND_GO = 7;
/** A client stays or is away for up to so long. */
const TURN_MS_MAX = 20_000;
const STEP_MS = 100;
const SAY_MS = 60_000;

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const random = seededRandom(Number(values.seed));
const folder = mkdtempSync(join(tmpdir(), 'tidewire-soak-'));
const session = new PaperSession(folder, ['--dashboard', '0', ...patient(folder)]);
// The clients are other machines in real life: they take no time from the session.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

/** Opens the stream and takes nothing from its socket. */
function deaf({ url, token }: Api): WebSocket {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/stream`, {
    headers: { authorization: `Bearer ${token}` },
  });
  socket.on('upgrade', (response) => response.socket.pause());
  socket.on('error', () => {});
  return socket;
}

function sum(of: readonly Follower[], count: (one: Follower) => number): number {
  return of.reduce((total, one) => total + count(one), 0);
}

try {
  const api = new Api(await session.link());
  const followers = Array.from({ length: STAY + COME_AND_GO }, () => new Follower(api));
  const turnsAt = new Map(followers.slice(STAY).map((one) => [one, 0]));
  for (const one of followers) one.come();
  const never = deaf(api);
  const startedAt = performance.now();
  const endsAt = startedAt + Number(values.minutes) * 60_000;
  const holes = (): readonly string[] => followers.flatMap((one) => one.holes);
  let [saidAt, told] = [startedAt, 0];
  while (performance.now() < endsAt && session.child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    const now = performance.now();
    for (const [one, at] of turnsAt) {
      if (now < at) continue;
      if (at > 0 && one.isHere) one.go();
      else if (!one.isHere) one.come();
      turnsAt.set(one, now + random.next() * TURN_MS_MAX);
    }
    if (now - saidAt < SAY_MS) continue;
    saidAt = now;
    for (const line of holes().slice(told)) process.stderr.write(`${line}\n`);
    told = holes().length;
    const minutes = Math.round((now - startedAt) / 60_000);
    const entries = sum(followers, (one) => one.entries);
    process.stderr.write(
      `minute ${minutes}: ${entries} entries, ${sum(followers, ({ visits }) => visits)} visits, ` + `${told} holes\n`,
    );
  }
  if (session.child.exitCode !== null)
    throw new Error(
      `the session ended after ${Math.round((performance.now() - startedAt) / 1_000)} s: ${session.stderr}`,
    );
  for (const one of followers) if (!one.isHere) one.come();
  const { seq } = await api.get<{ readonly seq: number }>('/sessions/current');
  await until(`entry ${seq} at each client`, () =>
    followers.every(({ last }) => last !== null && last >= seq) ? true : undefined,
  );
  never.terminate();
  for (const one of followers) one.go();
  const entries = sum(followers, (one) => one.entries);
  const visits = sum(followers, (one) => one.visits);
  const again = sum(followers, (one) => one.snapshots);
  process.stdout.write(
    `${values.minutes} minutes, seed ${values.seed}: ${seq} entries in the journal, ${entries} delivered to ` +
      `${followers.length} clients in ${visits} visits, ${again} snapshots beyond the first, ${holes().length} holes\n`,
  );
  process.exitCode = holes().length + again > 0 ? 1 : 0;
} finally {
  await session.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
