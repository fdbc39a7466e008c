/** Requests that leave together: asked in turn, the most urgent first, and let go by one commit. */
import { describe, expect, it } from 'vitest';
import { denied } from '../../../src/model/trading/deny-reason.ts';
import type { Lane } from '../../../src/model/ports.ts';
import type { OnDispatch } from '../../../src/model/venue.ts';
import type { CallResult } from '../../../src/exchange/client/classify.ts';
import { timedClient } from './timed-client.ts';

const stop = denied('killed', 'the kill switch is on');

function rig() {
  const { clock, client, left } = timedClient(100);
  const said: string[] = [];
  const results: CallResult[] = [];
  const call = (lane: Lane, onDispatch: OnDispatch): void =>
    client.call({ endpoint: 'createSpotOrder', lane, body: {}, onDispatch }, (result) => results.push(result));
  /** Says when it is asked, and when it is let go. */
  const asked =
    (name: string, second: () => ReturnType<OnDispatch> = () => 'go'): OnDispatch =>
    () => {
      said.push(`${name} asked`);
      return () => {
        said.push(`${name} leaves`);
        const verdict = second();
        return typeof verdict === 'function' ? verdict() : verdict;
      };
    };
  return { clock, left, client, said, results, call, asked };
}

describe('requests that leave together', () => {
  it('are all asked before the first of them is let go', () => {
    const { client, left, said, call, asked } = rig();
    client.together(() => {
      call('create', asked('create'));
      call('cancel', asked('cancel'));
      expect(said).toEqual([]);
    });
    expect(said).toEqual(['cancel asked', 'create asked', 'cancel leaves', 'create leaves']);
    expect(left).toHaveLength(2);
  });

  it('stop one by one, and give back what they took', () => {
    const { clock, client, left, results, call, asked } = rig();
    client.together(() => {
      call(
        'create',
        asked('first', () => stop),
      );
      call('create', asked('second'));
    });
    clock.advance(0);
    expect(results).toEqual([{ kind: 'denied', denied: stop }]);
    expect(left).toHaveLength(1);
    expect(client.pending).toBe(1);
  });

  it('leave also when what brought them throws', () => {
    const { client, left, call, asked } = rig();
    const brings = (): void =>
      client.together(() => {
        call('cancel', asked('cancel'));
        throw new Error('broken');
      });
    expect(brings).toThrow('broken');
    expect(left).toHaveLength(1);
  });

  it('are asked one by one where they come one by one', () => {
    const { said, call, asked } = rig();
    call('create', asked('first'));
    call('create', asked('second'));
    expect(said).toEqual(['first asked', 'first leaves', 'second asked', 'second leaves']);
  });
});
