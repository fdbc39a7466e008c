/**
 * Notifies systemd that a session is ready, alive or stopping (`sd_notify`). Its socket is a datagram socket, which
 * Node lacks, so the machine's `systemd-notify` sends. Does nothing without a service manager.
 */
import { spawn } from 'node:child_process';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';

const US_PER_MS = 1_000;
const STATUS_MS = 10_000;
const PROGRAM_MS_MAX = 5_000;

export interface ServiceManagerDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Clock, 'every'>;
  readonly logger: Logger;
  /** One line for `systemctl status`. */
  readonly status: () => string;
}

/**
 * Sent from the event loop of the session, so a blocked loop reports nothing. `WATCHDOG_PID` is not compared, because a
 * launcher may be in between.
 */
export function tellServiceManager({ env, clock, logger, status }: ServiceManagerDeps): Cancel {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: watchdogUs, PATH: path } = env;
  if (socket === undefined || socket === '') return () => {};
  const limitMs = Number(watchdogUs ?? 0) / US_PER_MS;
  let hasFailed = false;
  let told = '';
  const failed = (reason: string): void => {
    if (!hasFailed) logger.warn({ reason }, 'systemd is not notified');
    hasFailed = true;
  };
  const notify = (...lines: readonly string[]): void => {
    const program = spawn('systemd-notify', lines, {
      env: { NOTIFY_SOCKET: socket, ...(path === undefined ? {} : { PATH: path }) },
      stdio: 'ignore',
      timeout: PROGRAM_MS_MAX,
      killSignal: 'SIGKILL',
    });
    program.on('error', (error: NodeJS.ErrnoException) => failed(error.code ?? 'failed'));
    program.on('exit', (code) => {
      if (code !== 0) failed(`systemd-notify ended with ${code ?? 'a signal'}`);
    });
  };
  const changed = (): readonly string[] => {
    const now = status();
    if (now === told) return [];
    told = now;
    return [`STATUS=${now.replaceAll('\n', ' ')}`];
  };
  notify('READY=1', ...changed());
  const stops = [
    clock.every(STATUS_MS, () => {
      const lines = changed();
      if (lines.length > 0) notify(...lines);
    }),
    // Twice within the limit, as systemd advises.
    ...(limitMs > 0 ? [clock.every(limitMs / 2, () => notify('WATCHDOG=1'))] : []),
  ];
  return () => {
    for (const stop of stops) stop();
    notify('STOPPING=1');
  };
}
