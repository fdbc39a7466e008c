/** What a human approved is remembered over sessions, for this exchange and account alone. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApprovedVersions } from '../../../src/session/controls/approved-versions.ts';

const said = { strategy: 'maker', version: 'v1', session: 'live-maker-1', at: 5, reason: 'a good day' };
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tidewire-approved-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('holds for the version of the strategy on the account of the exchange where it was said', () => {
  const here = { exchange: 'x', account: 'alice' };
  const approved = new ApprovedVersions(root, here);
  expect(approved.has('maker', 'v1')).toBe(false);
  approved.add(said);
  approved.add(said);
  approved.add({ ...said, version: 'v2' });
  const again = new ApprovedVersions(root, here);
  expect(['v1', 'v2', 'v3'].map((version) => again.has('maker', version))).toEqual([true, true, false]);
  expect(again.has('taker', 'v1')).toBe(false);
  expect(new ApprovedVersions(root, { ...here, account: 'bob' }).has('maker', 'v1')).toBe(false);
  expect(new ApprovedVersions(root, { ...here, exchange: 'y' }).has('maker', 'v1')).toBe(false);
  expect(statSync(join(root, 'approved-versions.json')).mode & 0o777).toBe(0o600);
});

it.each(['', '{"version":1', '{"version":1,"approved":[{"strategy":"maker"}]}'])(
  'of a list that cannot be read is an error, never nobody: %j',
  (text) => {
    writeFileSync(join(root, 'approved-versions.json'), text, { mode: 0o600 });
    const approved = new ApprovedVersions(root, { exchange: 'x', account: 'alice' });
    expect(() => approved.has('maker', 'v1')).toThrow(/not the list of approved versions/);
    expect(() => approved.add(said)).toThrow(/not the list of approved versions/);
  },
);
