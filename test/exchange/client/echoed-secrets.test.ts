import { describe, expect, it } from 'vitest';
import { withoutEchoes } from '../../../src/exchange/client/echoed-secrets.ts';
import type { HttpResult, PreparedRequest } from '../../../src/model/ports.ts';
import { SIGNATURE_HEADER } from '../../../src/exchange/interface/signature.ts';

const request: PreparedRequest = {
  url: 'http://x.invalid/',
  method: 'POST',
  headers: { [SIGNATURE_HEADER]: 'f00dfeed', authorization: 'Bearer ey.token.x' },
  body: JSON.stringify({ login: 'alice', password: 'a "b" c', auth2fa_code: '123456' }),
};

function bodyOf(status: number, body: string): string {
  const result: HttpResult = withoutEchoes({ kind: 'response', status, headers: {}, body }, request);
  return result.kind === 'response' ? result.body : '';
}

describe('an answer that cannot be used', () => {
  it('says nothing back that was secret in the request, escaped or not', () => {
    const said = `bad: f00dfeed, ey.token.x, ${request.body}, a "b" c`;
    expect(bodyOf(400, said)).toBe('bad: ***, ***, {"login":"alice","password":"***","auth2fa_code":"***"}, ***');
    expect(bodyOf(200, said)).not.toContain('f00dfeed');
  });

  it('keeps a new secret back that came in a half answer', () => {
    expect(bodyOf(200, '{"publicKey":"p","secretKey":"s3cr\\"et","na')).toBe('{"publicKey":"p","secretKey":"***","na');
  });

  it('is left alone when it can be used', () => {
    const good = JSON.stringify({ secretKey: 's', code: '123456' });
    expect(bodyOf(201, good)).toBe(good);
  });
});
