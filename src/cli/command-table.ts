/** The commands, one row each; a command's file is loaded when it is called. */
import type { BuildCommand } from './command.ts';

interface CommandRow {
  readonly summary: string;
  /** Only computes: a signal ends it at once; others end in order. */
  readonly computes?: boolean;
  /** Controls orders, a market or a recording, so it continues when its output is not read. */
  readonly mustGoOn?: boolean;
  readonly load: () => Promise<{ readonly build: BuildCommand }>;
}

export const commands: Readonly<Record<string, CommandRow>> = {
  init: { summary: 'write a project to start from', load: () => import('./commands/init.ts') },
  new: { summary: 'write a strategy file to start from', load: () => import('./commands/new.ts') },
  paper: {
    summary: 'run a strategy on live public streams with a simulated account',
    mustGoOn: true,
    load: () => import('./commands/paper.ts'),
  },
  backtest: {
    summary: 'run a strategy over recordings',
    computes: true,
    load: () => import('./commands/research/backtest.ts'),
  },
  sweep: { summary: 'search the parameters of a strategy', load: () => import('./commands/research/sweep.ts') },
  validate: {
    summary: 'say how good the evidence for a strategy is',
    load: () => import('./commands/research/validate.ts'),
  },
  run: { summary: 'run a strategy with real orders', mustGoOn: true, load: () => import('./commands/run.ts') },
  record: { summary: 'record raw frames of the exchange', mustGoOn: true, load: () => import('./commands/record.ts') },
  data: {
    summary: 'import, inspect, verify, compile and export recordings',
    load: () => import('./commands/data/data.ts'),
  },
  sandbox: {
    summary: 'run the exchange sandbox on loopback',
    mustGoOn: true,
    load: () => import('./commands/sandbox.ts'),
  },
  report: {
    summary: 'make the HTML report of a result file, or compare several',
    computes: true,
    load: () => import('./commands/research/report.ts'),
  },
  status: {
    summary: 'show sessions and what stands in their journals',
    load: () => import('./commands/explain/status.ts'),
  },
  top: { summary: 'show the sessions on the whole terminal', load: () => import('./commands/explain/top.ts') },
  mcp: { summary: 'serve sessions and research to an AI client', load: () => import('./commands/mcp.ts') },
  dashboard: {
    summary: 'serve the dashboard of all sessions of this machine',
    mustGoOn: true,
    load: () => import('./commands/dashboard.ts'),
  },
  replay: {
    summary: 'backtest the recording of a session and compare the decisions',
    computes: true,
    load: () => import('./commands/research/replay.ts'),
  },
  drift: {
    summary: 'split the gap between a session and its backtest by cause',
    computes: true,
    load: () => import('./commands/research/drift.ts'),
  },
  shadow: {
    summary: 'run a second version of a strategy beside a session',
    load: () => import('./commands/research/shadow.ts'),
  },
  journal: {
    summary: 'show, verify, export, back up and restore a journal',
    load: () => import('./commands/explain/journal.ts'),
  },
  reconcile: {
    summary: 'compare a journal with the exchange and heal it',
    load: () => import('./commands/reconcile.ts'),
  },
  plan: {
    summary: 'show what a restart of a live session would do',
    load: () => import('./commands/explain/plan.ts'),
  },
  why: {
    summary: 'explain an order, a program or a transfer: market, decision, risk, journal, frames, fills',
    load: () => import('./commands/explain/why.ts'),
  },
  programs: { summary: 'show the order programs of a session', load: () => import('./commands/explain/programs.ts') },
  cancel: { summary: 'cancel an order or end an order program', load: () => import('./commands/steer/cancel.ts') },
  'cancel-all': {
    summary: 'cancel orders and end order programs of a running session',
    load: () => import('./commands/steer/cancel-all.ts'),
  },
  'why-not': { summary: 'explain why nothing was sent at a time', load: () => import('./commands/explain/why-not.ts') },
  limits: {
    summary: 'show and override the limits of a running session',
    load: () => import('./commands/steer/limits.ts'),
  },
  pause: {
    summary: 'let a strategy of a running session take no new risk',
    load: () => import('./commands/steer/pause.ts'),
  },
  resume: { summary: 'let a paused strategy take risk again', load: () => import('./commands/steer/resume.ts') },
  watchdog: {
    summary: 'watch a live session from another process and pull its kill switch',
    mustGoOn: true,
    load: () => import('./commands/steer/watchdog.ts'),
  },
  selfcheck: {
    summary: 'report on controls, alarms and overrides of a period, to be reviewed',
    load: () => import('./commands/explain/selfcheck.ts'),
  },
  panic: {
    summary: 'cancel every order, even when the bot is broken',
    mustGoOn: true,
    load: () => import('./commands/steer/panic.ts'),
  },
  account: {
    summary: 'balances, transactions, fees and dictionaries of the account',
    load: () => import('./commands/account/account.ts'),
  },
  spot: { summary: 'spot markets, orders and trades', load: () => import('./commands/spot/spot.ts') },
  futures: {
    summary: 'perpetual positions, their orders and settings',
    load: () => import('./commands/futures/futures.ts'),
  },
  transfer: { summary: 'move money between your own accounts', load: () => import('./commands/transfer/transfer.ts') },
  wallet: {
    summary: 'deposit addresses, withdrawals and their address book',
    load: () => import('./commands/wallet/wallet.ts'),
  },
  codes: { summary: 'create, redeem and list codes', load: () => import('./commands/codes/codes.ts') },
  fiat: { summary: 'deposit and withdraw fiat through the cashier', load: () => import('./commands/fiat/fiat.ts') },
  overdraft: { summary: 'see and repay what is borrowed', load: () => import('./commands/overdraft/overdraft.ts') },
  p2p: { summary: 'trade crypto for fiat with other users', load: () => import('./commands/p2p/p2p.ts') },
  money: { summary: 'money movements of the terminal, and unresolved ones', load: () => import('./commands/money.ts') },
  keys: { summary: 'create, store, list and delete API keys', load: () => import('./commands/keys/keys.ts') },
  config: { summary: 'show, check and describe the configuration', load: () => import('./commands/config.ts') },
  'support-bundle': {
    summary: 'gather what a helper needs to see, without secrets',
    load: () => import('./commands/explain/support-bundle.ts'),
  },
  probe: {
    summary: 'show what the exchange does where its documents leave it open',
    load: () => import('./commands/probe.ts'),
  },
  doctor: { summary: 'check this machine and this configuration', load: () => import('./commands/doctor.ts') },
};
