/** Connections to a server of this machine by the certificate in its session's folder, whoever signed it, for whatever name. */
import { X509Certificate } from 'node:crypto';
import { Agent } from 'undici';

/** Certificates change seldom, and sessions of one machine are few. */
const AGENTS_MAX = 32;

/** By certificate, so that connections are used again; oldest first. */
const agents = new Map<string, Agent>();

/** `pem`: as the server shows it, its own first. Throws where it is none. */
export function pinnedAgent(pem: string): Agent {
  const known = agents.get(pem);
  if (known !== undefined) return known;
  const { fingerprint256 } = new X509Certificate(pem);
  const agent = new Agent({
    connect: {
      ca: pem,
      // Whatever the environment says: the token goes over it.
      rejectUnauthorized: true,
      allowPartialTrustChain: true,
      checkServerIdentity: (_name, shown) =>
        shown.fingerprint256 === fingerprint256 ? undefined : new Error('it shows another certificate than its own'),
    },
  });
  agents.set(pem, agent);
  const [oldest] = agents.keys();
  // Its idle connections end by themselves.
  if (agents.size > AGENTS_MAX && oldest !== undefined) agents.delete(oldest);
  return agent;
}
