/**
 * Found from outside: a session that ended in order was followed by a new one, and a signal that the first had taken was taken
 * again, as its id stood in the journal of the first alone.
 */
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, start, strategyFile, type Running } from '../e2e/cli.ts';

const SECRET = 'a secret of sixteen characters or more';

async function linkOf(session: Running): Promise<string> {
  return session.during('the link', () => /^dashboard (http:\S+)\/#/m.exec(session.stderr)?.[1]);
}

it('signals/ids/of-the-session-before-are-known', async () => {
  const cwd = freshFolder();
  writeFileSync(join(cwd, 'c.yaml'), `signals:\n  trend: { secret: '${SECRET}' }\n`);
  const args = ['paper', strategyFile('external-signals'), '--config', 'c.yaml', '--dashboard', '0', '--json'];
  const [time, id, body] = [String(Date.now()), '42', '{"side":"flat"}'];
  const signature = createHmac('sha256', SECRET).update(`${time}\n${id}\n${body}`).digest('hex');
  const headers = { 'x-signal-id': id, 'x-signal-timestamp': time, 'x-signal-signature': signature };
  const sent = async (session: Running): Promise<number> => {
    const url = `${await linkOf(session)}/api/v1/signals/trend`;
    return session.during('an answer of the strategies', async () => {
      const { status } = await fetch(url, { method: 'POST', headers, body });
      return status === 503 ? undefined : status;
    });
  };
  const first = start(args, { cwd });
  expect([await sent(first), await sent(first)]).toEqual([202, 409]);
  expect((await first.signal('SIGINT')).code).toBe(0);
  const second = start(args, { cwd });
  expect(await sent(second)).toBe(409);
  expect((await second.signal('SIGINT')).code).toBe(0);
});
