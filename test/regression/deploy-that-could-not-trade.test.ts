/** The container had no writable place for the locks of accounts, and the documented line for `panic` had no key. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshFolder, root } from '../e2e/cli.ts';

it('deploy/container/keeps-its-state-in-a-volume', () => {
  const image = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  const [, state = ''] = /^ENV .*\bXDG_STATE_HOME=(\S+)/m.exec(image) ?? [];
  const volumes = [...image.matchAll(/^VOLUME (\S+)$/gm)].map(([, volume = '']) => volume);
  expect(volumes.some((volume) => state.startsWith(`${volume}/`))).toBe(true);
  expect(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')).toContain(`data:${volumes[0]}\n`);
});

it('deploy/systemd/panic-has-the-key', () => {
  const page = readFileSync(join(root, 'docs/deploy.md'), 'utf8');
  const [, script = ''] = /^sudo -u tidewire sh -c '(.* panic .*)'$/m.exec(page) ?? [];
  const cwd = freshFolder();
  const places = { '/etc/tidewire': 'etc', '/var/lib/tidewire': 'lib', '/opt/tidewire/bin': 'bin' };
  let here = script;
  for (const [place, name] of Object.entries(places)) {
    mkdirSync(join(cwd, name));
    here = here.replaceAll(place, join(cwd, name));
  }
  writeFileSync(join(cwd, 'etc', 'environment'), 'TIDEWIRE_API_KEY=key\nTIDEWIRE_API_SECRET=secret\n');
  const bot = join(cwd, 'bin', 'tidewire.js');
  writeFileSync(bot, '#!/bin/sh\necho "$1 $TIDEWIRE_API_KEY $TIDEWIRE_API_SECRET"\n');
  chmodSync(bot, 0o755);
  expect(execFileSync('sh', ['-c', here], { encoding: 'utf8' })).toBe('panic key secret\n');
});
