/** Why something is ordered reaches logs, alarms and terminals. */
import { expect, it } from 'vitest';
import { remoteRig } from './remote-rig.ts';

it.each(['', '  ', 'one\nerror two', '\u001b[2J', 'one\u2028two', '\u009b31m'])(
  'remote/a-reason-is-one-line-that-says-why: %j',
  async (reason) => {
    const { executor, order } = remoteRig();
    expect(await order({ command: 'pause', reason })).toMatchObject({ code: 'remote_field', field: 'reason' });
    expect(executor.state.pauses.size).toBe(0);
    expect(await order({ command: 'pause', reason: 'Mittag – «наконец»' })).toMatchObject({ kind: 'done' });
  },
);
