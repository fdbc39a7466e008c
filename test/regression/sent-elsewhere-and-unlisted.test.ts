/**
 * Found by reading: an order that a panic had sent in an instrument which this session does not list was passed over, and
 * the account counted as reconciled. It would have been booked as a trade of others.
 */
import { expect, it } from 'vitest';
import { Instruments } from '../../src/model/market/instrument.ts';
import type { CreateIntentEntry } from '../../src/model/entries/journal.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { writePanicLine } from '../../src/session/emergency/panic-ledger.ts';
import { panicWatch } from '../../src/session/emergency/panic-orders.ts';
import { createSession } from '../../src/session/store/store.ts';
import { LIVE } from '../e2e/panic-setting.ts';
import { BTC, makeRig, PERP, START, tempDir } from '../execution/rig.ts';

/** What a session that lists so much is told of an order of a panic. */
function noted(symbol: string, strategy: string, specs = [BTC]): readonly CreateIntentEntry[] | null {
  const { dir: root, remove } = tempDir();
  try {
    const exchange = 'http://localhost';
    const folder = createSession(root, { ...LIVE, exchange, now: START });
    const owner = { account: 'alice', exchange, session: folder.record.id };
    writePanicLine(root, { kind: 'sending', id: 'p0-1', ...owner, symbol, quantity: '-0.1', strategy, at: START });
    return panicWatch(folder, { instruments: new Instruments(specs), startedAt: START, logger: silentLogger })();
  } finally {
    remove();
  }
}

async function passOf(sent: readonly CreateIntentEntry[] | null) {
  const rig = makeRig({ specs: [BTC], sentElsewhere: () => sent });
  const { complete, failures } = await createReconciler(rig.executor, { markets: ['spot'] }).runNow({ full: true });
  return { complete, failures };
}

const left = { complete: false, failures: ['orders of a panic cannot be adopted'] };

it('execution/sent-elsewhere/listed-is-taken-over', async () => {
  expect(await passOf(noted(BTC.symbol, 'maker'))).toEqual({ complete: true, failures: [] });
});

it('execution/sent-elsewhere/unlisted-is-no-reconciled-account', async () => {
  expect(noted(PERP.symbol, 'maker')).toBeNull();
  expect(await passOf(noted(PERP.symbol, 'maker', [BTC, PERP]))).toEqual(left);
});

it('execution/sent-elsewhere/for-an-unknown-strategy-is-no-reconciled-account', async () => {
  expect(await passOf(noted(BTC.symbol, 'gone'))).toEqual(left);
});
