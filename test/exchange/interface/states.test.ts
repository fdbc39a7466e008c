import { describe, expect, it } from 'vitest';
import {
  advertisementStatuses,
  advertisementTransitions,
  fiatTransitions,
  nextState,
  p2pTradeStatuses,
  p2pTradeTransitions,
  stepTo,
  transactionStatuses,
  withdrawalTransitions,
  type TransactionStatus,
} from '../../../src/exchange/interface/states.ts';
import { findServiceRefusal, serviceRefusals } from '../../../src/exchange/interface/refusals.ts';

interface Row {
  readonly from: TransactionStatus | null;
  readonly to: TransactionStatus;
}

function reachable(rows: readonly Row[]): Set<TransactionStatus> {
  const found = new Set(rows.filter((row) => row.from === null).map((row) => row.to));
  for (const from of found) for (const row of rows) if (row.from === from) found.add(row.to);
  return found;
}

describe('the state tables', () => {
  it('have the documented moves of a fiat application as documented rows', () => {
    const documented = fiatTransitions.filter((row) => row.provenance === 'documented');
    expect(documented.map(({ from, to }) => [from, to])).toEqual([
      [null, 'created'],
      [null, 'submitted'],
      ['created', 'submitted'],
    ]);
  });

  it('reach each of the seven documented statuses of a fiat application', () => {
    expect([...transactionStatuses].toSorted()).toEqual(
      ['created', 'submitted', 'processing', 'rejected', 'failed', 'canceled', 'completed'].toSorted(),
    );
    expect([...reachable(fiatTransitions)].toSorted()).toEqual([...transactionStatuses].toSorted());
  });

  it('lead each thing to one place per trigger, and nothing out of an end', () => {
    for (const rows of [fiatTransitions, withdrawalTransitions]) {
      const steps = rows.map(({ from, trigger }) => `${from ?? ''} ${trigger}`);
      expect(new Set(steps).size).toBe(steps.length);
      for (const end of ['rejected', 'failed', 'canceled', 'completed'] as const) {
        expect(rows.filter((row) => row.from === end)).toEqual([]);
      }
    }
  });

  it('have the documented moves of P2P as documented rows, and reach each documented status', () => {
    const documented = [...advertisementTransitions, ...p2pTradeTransitions].filter(
      (row) => row.provenance === 'documented',
    );
    expect(documented.map(({ from, to }) => `${from ?? ''} to ${to}`)).toEqual([
      'active to deactivated',
      'deactivated to active',
      'active to canceled',
      'deactivated to canceled',
      'active to completed',
      'open:wait-confirm to open',
      'open:wait-confirm to cancel',
      'open to send-payment-document',
      'send-payment-document to dispute:open',
      'dispute:open to complete',
      'dispute:open to cancel',
    ]);
    for (const rows of [advertisementTransitions, p2pTradeTransitions]) {
      const steps = rows.map(({ from, trigger }) => `${from ?? ''} ${trigger}`);
      expect(new Set(steps).size).toBe(steps.length);
    }
    expect(new Set(advertisementTransitions.map(({ to }) => to))).toEqual(new Set(advertisementStatuses));
    expect(new Set(p2pTradeTransitions.map(({ to }) => to))).toEqual(new Set(p2pTradeStatuses));
    for (const end of ['canceled', 'completed', 'complete', 'cancel']) {
      const out = [...advertisementTransitions, ...p2pTradeTransitions].filter((row) => row.from === end);
      expect(out).toEqual([]);
    }
  });

  it('cancel a withdrawal before processing only', () => {
    expect(nextState(withdrawalTransitions, 'submitted', 'cancel')).toBe('canceled');
    expect(nextState(withdrawalTransitions, 'processing', 'cancel')).toBeUndefined();
    expect(() => stepTo(withdrawalTransitions, 'completed', 'take')).toThrow(/no take from completed/);
  });
});

describe('the service refusals', () => {
  it('count with their own status alone', () => {
    for (const { code, status } of serviceRefusals) {
      expect(findServiceRefusal(code, status)?.code).toBe(code);
      expect(findServiceRefusal(code, 503)).toBeUndefined();
    }
    expect(findServiceRefusal('not_available', 401)).toBeUndefined();
    expect(findServiceRefusal('toString', 401)).toBeUndefined();
  });
});
