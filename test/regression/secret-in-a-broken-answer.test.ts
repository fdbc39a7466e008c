/**
 * Found by fuzzing: what could not be read of an answer was quoted as evidence, and of a login, a new API key or a code that
 * came broken the quotation was the secret itself. Patterns that look for it fail where the text is broken.
 */
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { MoneyOutcome } from '../../src/model/result.ts';
import { ends, openDesk } from '../fuzz/desk.ts';

const SECRET = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0.6yw389bchmjBWGX';
const BROKEN = [
  `{"token""${SECRET}","expiresAt":1}`,
  `{"token":"x","expiresAt":["${SECRET}"]}`,
  `[{"tok":"${SECRET}"}]`,
  `"${SECRET}"`,
  `{"codeId":"1","code":"${SECRET}`,
  `{"publicKey":"ab","sec":"${SECRET}"}`,
];

describe('a broken answer that held a secret', () => {
  for (const status of [200, 404, 500]) {
    it(`is not quoted (status ${status})`, async () => {
      const { exchange, canned, clock } = openDesk();
      canned.status = status;
      for (const body of BROKEN) {
        canned.body = body;
        const login = { login: 'alice', password: 'p', auth2faCode: '123456' };
        clock.advanceTo(clock.nowUs() + 1_000_000);
        const answer = await ends(clock, exchange.money.identity.login(login));
        expect(answer.kind).toBe('failed');
        expect(answer.kind === 'failed' ? inspect(answer.error) : SECRET).not.toContain(SECRET);
        const outcome = await ends(
          clock,
          new Promise<MoneyOutcome<unknown>>((resolve) =>
            exchange.money.send({ kind: 'codeCreate', currency: 'USDT', amount: '5' }, { lane: 'reconcile' }, resolve),
          ),
        );
        expect(outcome.kind).toBe('unknown');
        expect(JSON.stringify(outcome)).not.toContain(SECRET);
      }
    });
  }

  it('still says how long it was, and quotes a page of whatever stands before the service', async () => {
    const { exchange, canned, clock } = openDesk();
    const ask = async (body: string): Promise<string> => {
      canned.body = body;
      clock.advanceTo(clock.nowUs() + 1_000_000);
      const answer = await ends(clock, exchange.money.codes.full('1'));
      return answer.kind === 'failed' ? answer.error.message : '';
    };
    expect(await ask(`{"code":"${SECRET}`)).toContain(`${SECRET.length + 9} characters`);
    expect(await ask('<html>down for maintenance</html>')).toContain('down for maintenance');
  });
});
