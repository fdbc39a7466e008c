/**
 * Found by reading: `reconcile` settled orders of unknown outcome and left transfers, codes, withdrawals and P2P as they were,
 * so that a session which died between the request and its answer stayed unsettled for good.
 */
import { expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { planText } from '../../src/operations/plan/plan-text.ts';
import { planSession } from '../../src/operations/plan/plan.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { MoneyRequest } from '../../src/model/funds/money-commands.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { connect, type Connection } from '../../src/session/connection/connection.ts';
import { heal } from '../../src/session/healing/heal.ts';
import { moneyPlaces } from '../../src/session/money/money-place.ts';
import { createSession, type NewSession } from '../../src/session/store/store.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { tempDir, World } from '../e2e/live-stack.ts';

const clock = createSystemClock();
const transfer = (currency: string): MoneyRequest & { readonly kind: 'transfer' } => ({
  kind: 'transfer',
  from: 'funding',
  to: 'unified-trading',
  currency,
  amount: '12.5',
});

/** As a process leaves it that died between the bytes and their answer. */
function died(dir: string, intentId: string, request: MoneyRequest): void {
  const entries: readonly JournalEntry[] = [
    { kind: 'session', event: 'start', boot: 1, bootId: 'b1', facts: { account: 'alice' } },
    { kind: 'money-intent', intentId, strategy: 'maker', request, before: null },
    { kind: 'money-sending', intentId },
  ];
  const journal = openJournal(dir);
  journal.append(clock.now(), entries);
  journal.close();
}

async function aliceAt(world: World): Promise<Connection> {
  const { restUrl: baseUrl, gatewayUrl, wsUrl, users } = world.sandbox;
  const { publicKey, secretKey } = users[0]!.apiKey;
  const connection = await connect({
    exchange: exchangeOptions.parse({ baseUrl, gatewayUrl, wsUrl }),
    credentials: createCredentials(publicKey, secretKey),
    clock,
    random: seededRandom(1),
    logger: silentLogger,
    seed: 1,
  });
  world.later(() => connection.close());
  return connection;
}

it('a transfer of unknown outcome is settled by what the exchange shows, once, in both journals', async () => {
  const world = await World.open();
  try {
    const { dir: root, remove } = tempDir();
    world.later(remove);
    const connection = await aliceAt(world);
    const exchange = world.sandbox.restUrl;
    const session: NewSession = {
      mode: 'live',
      strategies: [],
      seed: 1,
      account: 'alice',
      suffix: 'a',
      exchange,
      now: clock.now(),
    };
    const folder = createSession(root, session);
    died(folder.path, 's-m1', transfer('ETH'));
    const { name: exchangeName, publicKey } = connection;
    const [place = ''] = moneyPlaces({ sessionsDir: root, exchangeName, account: 'alice', publicKey });
    died(place, 'a-m1', transfer('BTC'));
    // The first had arrived, the second had not.
    const answer = await new Promise((resolve) => {
      connection.exchange.money.send(transfer('ETH'), { lane: 'create' }, resolve);
    });
    expect(answer).toMatchObject({ kind: 'accepted' });

    const config = configSchema.parse({ reconcile: { signatureWindowMs: 150, fenceMarginMs: 50 } });
    const options = { folder, connection, config, logger: silentLogger };
    const rows = verifyJournal(folder.path).rows;
    const findings = [
      { journal: 'session', intentId: 's-m1', kind: 'transfer', verdict: 'happened' },
      { journal: 'account', intentId: 'a-m1', kind: 'transfer', verdict: 'open' },
    ];
    const dry = await heal({ ...options, dryRun: true });
    expect(dry.money).toMatchObject(findings);
    const { plan } = await planSession({ ...options, running: false });
    expect(plan.money).toMatchObject(findings);
    expect(plan.nothingToDo).toBe(false);
    expect(planText(plan)).toContain('transfer s-m1 did happen');
    expect(verifyJournal(folder.path)).toMatchObject({ ok: true, rows });

    const healed = await heal({ ...options, dryRun: false });
    expect(healed.money).toMatchObject(findings);
    expect(healed.unresolved).toBe(0);
    expect(healed.requests).toHaveProperty('transactions');
    // What was proved is not asked again; what was not stays, with its reason.
    const again = await heal({ ...options, dryRun: false });
    expect(again.money).toMatchObject([{ journal: 'account', intentId: 'a-m1', verdict: 'open' }]);
    expect(again.money[0]?.why).not.toBe('');
    expect(verifyJournal(folder.path)).toMatchObject({ ok: true });
  } finally {
    await world.close();
  }
});
