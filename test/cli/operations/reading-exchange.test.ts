/** The exchange of `dashboard` and `mcp`: none of the embedded sandbox, and without a usable key public reads alone. */
import { expect, it } from 'vitest';
import type { CliIo } from '../../../src/cli/command.ts';
import { readingExchange } from '../../../src/cli/operations/reading-exchange.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { userCredentials } from '../../../src/sandbox/core/identity/users.ts';

function io(env: CliIo['env'], said: string[]): CliIo {
  return {
    out: () => {},
    err: (text) => void said.push(text),
    isTty: true,
    // Nobody is asked, although somebody could be.
    terminal: {
      interactive: true,
      ask: () => Promise.reject(new Error('asked')),
      askSecret: () => Promise.reject(new Error('asked')),
    } as unknown as NonNullable<CliIo['terminal']>,
    env,
    cwd: '/nowhere',
    interrupted: new Promise(() => {}),
    exit: () => {},
  };
}

const far = {
  exchange: exchangeOptions.parse({
    baseUrl: 'https://x.example',
    gatewayUrl: 'https://x.example',
    wsUrl: 'wss://x.example',
  }),
};

it('is none where the configuration names the embedded sandbox', async () => {
  expect(await readingExchange(io({}, []), { exchange: exchangeOptions.parse({}) }, silentLogger)).toBeNull();
});

it('goes without a key where none is found, or where it is one of the sandbox for an exchange elsewhere', async () => {
  const { publicKey, secretKey } = userCredentials(7, 'alice').apiKey;
  for (const env of [{}, { TIDEWIRE_API_KEY: publicKey, TIDEWIRE_API_SECRET: secretKey }]) {
    const said: string[] = [];
    const exchange = await readingExchange(io(env, said), far, silentLogger);
    expect(exchange).not.toBeNull();
    expect(said.join('')).not.toContain(secretKey);
    expect(said.length).toBe(Object.keys(env).length === 0 ? 0 : 1);
    await exchange?.close();
  }
});
