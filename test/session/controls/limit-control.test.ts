/** The two steps by which a human overrides a limit of a running session, and what a session passes over. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/model/ports.ts';
import {
  confirmProposal,
  orderLimits,
  proposeOverride,
  proposeWidening,
  watchLimitOrders,
} from '../../../src/session/controls/limit-control.ts';
import { makeRig, START, type Rig } from '../../execution/rig.ts';

const MINUTE = 60_000;
const wanted = {
  kind: 'override',
  id: 'o1',
  limit: 'risk.maxOrderQuantity',
  value: '5',
  forMs: MINUTE,
  reason: 'test',
  at: START,
} as const;

let path = '';
let rig: Rig;
const approvals: unknown[] = [];
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'tidewire-limits-'));
  approvals.length = 0;
  rig = makeRig({
    risk: { maxOrderQuantity: '1', canary: { minFills: 0, minMs: 30_000 } },
    explains: true,
    version: 'v7',
    onTrial: true,
  });
  watchLimitOrders({
    path,
    executor: rig.executor,
    clock: rig.clock,
    logger: silentLogger,
    approved: (said) => approvals.push(said),
    deliver: (run) => run(rig.clock.now()),
  });
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

function taken(): readonly string[] {
  return [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'limit-override' ? [`${entry.id} ${entry.value}`] : [],
  );
}

describe('an override in two steps', () => {
  it('is taken over once it is confirmed with the code, and not before', () => {
    const code = proposeOverride(path, wanted);
    rig.clock.advance(1_000);
    expect(taken()).toEqual([]);
    expect(readFileSync(join(path, 'limits-proposal.json'), 'utf8')).not.toContain(code);
    const confirmed = confirmProposal(path, code.toLowerCase(), rig.clock.now());
    expect(confirmed).toMatchObject({ id: 'o1', at: rig.clock.now() });
    expect(orderLimits(path, confirmed)).toBe(true);
    rig.clock.advance(1_000);
    expect(taken()).toEqual(['o1 5']);
    expect(existsSync(join(path, 'LIMITS'))).toBe(false);
  });

  it('is not confirmed by another code, twice, or after a minute', () => {
    const code = proposeOverride(path, wanted);
    expect(() => confirmProposal(path, '000000', START)).toThrow(/the code is another one/);
    confirmProposal(path, code, START);
    expect(() => confirmProposal(path, code, START)).toThrow(/nothing is proposed/);
    const late = proposeOverride(path, wanted);
    expect(() => confirmProposal(path, late, START + MINUTE + 1)).toThrow(/within a minute/);
    expect(() => confirmProposal(path, late, START)).toThrow(/nothing is proposed/);
  });

  it('of something that is no limit is refused at once', () => {
    expect(() => proposeOverride(path, { ...wanted, limit: 'risk.transfers' })).toThrow(/is not a limit/);
    expect(() => proposeOverride(path, { ...wanted, value: 'lots' })).toThrow(/expected a decimal/);
  });
});

describe('a widening in two steps', () => {
  const widening = { kind: 'widen', id: 'w1', strategy: 'maker', reason: 'looked at it', at: START } as const;
  const widened = (): boolean => [...rig.journal.read()].some(({ entry }) => entry.kind === 'widened');

  it('ends the trial once it is confirmed, and the version is told to be remembered', () => {
    rig.clock.advance(30_000);
    const code = proposeWidening(path, { ...widening, at: rig.clock.now() });
    rig.clock.advance(1_000);
    expect(widened()).toBe(false);
    expect(() => confirmProposal(path, '000000', rig.clock.now())).toThrow(/the code is another one/);
    orderLimits(path, confirmProposal(path, code, rig.clock.now()));
    rig.clock.advance(1_000);
    expect(widened()).toBe(true);
    expect(approvals).toEqual([{ strategy: 'maker', version: 'v7', reason: 'looked at it' }]);
  });

  it('before the trial is over, or of a strategy that is on none, changes and remembers nothing', () => {
    orderLimits(path, confirmProposal(path, proposeWidening(path, widening), START));
    rig.clock.advance(1_000);
    rig.clock.advance(60_000);
    const at = rig.clock.now();
    orderLimits(path, confirmProposal(path, proposeWidening(path, { ...widening, strategy: 'taker', at }), at));
    rig.clock.advance(1_000);
    expect(widened()).toBe(false);
    expect(approvals).toEqual([]);
  });
});

describe('a running session', () => {
  it('passes over an order that is old, unreadable or wrong, and goes on', () => {
    orderLimits(path, { ...wanted, at: START - 2 * MINUTE });
    rig.clock.advance(500);
    writeFileSync(join(path, 'LIMITS'), '{"kind":"override"');
    rig.clock.advance(500);
    orderLimits(path, { ...wanted, value: 'much' });
    rig.clock.advance(500);
    orderLimits(path, { ...wanted, forMs: 2 * 60 * MINUTE });
    rig.clock.advance(500);
    expect(taken()).toEqual([]);
    orderLimits(path, wanted);
    rig.clock.advance(500);
    expect(taken()).toEqual(['o1 5']);
  });
});
