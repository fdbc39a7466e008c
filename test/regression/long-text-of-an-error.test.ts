/**
 * A strategy threw an error of 200 KB, such as the HTML of a gateway: measuring it for the table at the end of the session
 * took 20 s, so that the watchdog cut the session short. The text is bounded where it enters the error, an alert and a
 * table.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { table } from '../../src/cli/terminal/table.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { AlertService } from '../../src/session/alerts/service.ts';
import { alertOptions, sinksOf } from '../../src/session/alerts/options.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { defineStrategy } from '../../src/strategy/define.ts';
import { freshFolder } from '../e2e/cli.ts';
import { World } from '../strategy/world.ts';

const html = '<p>502</p>'.repeat(20_000);

test.each([
  ['an Error', () => new Error(html)],
  ['a name', () => Object.assign(new Error('x'), { name: html })],
  ['a text', () => html],
])('%s of a strategy', (_, made) => {
  const { errors } = new World().start(
    defineStrategy({
      name: 'long',
      setup: () => {
        throw made();
      },
    }),
  );
  expect(errors[0]?.message).toMatch(/<p>502<\/p>.*… \(200\d\d\d characters\) at .*:\d+:\d+, at event setup$/);
  expect(errors[0]?.message.length).toBeLessThan(1_300);
});

test('a page', async () => {
  const path = join(freshFolder(), 'alerts.jsonl');
  const sinks = sinksOf(alertOptions.parse([{ kind: 'file', path }]));
  const alerts = new AlertService({ sinks, session: 's', mode: 'paper', clock: systemClock, logger: silentLogger });
  alerts.page('failed', html, 'Read the log.');
  await alerts.close();
  expect(readFileSync(path, 'utf8').length).toBeLessThan(4_300);
});

test('a cell of a table', () => {
  expect(table([[html, 'b']]).length).toBeLessThan(4_100);
});
