/** Wires the handlers of one executor and routes actions to them. */
import type { Action } from '../model/action.ts';
import { Core } from './core.ts';
import { Dispatcher } from './dispatcher.ts';
import { Dust } from './dust.ts';
import type { ExecutorDeps } from './executor-types.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { FlattenHandler } from './flatten-handler.ts';
import { Intake } from './intake.ts';
import { canonicalJson } from '../model/canonical.ts';
import { PlaceHandler } from './place-handler.ts';
import { Placement } from './placement.ts';
import { QuotePlanner } from './quote-planner.ts';
import { StopHandler } from './stop-handler.ts';
import { TargetPlanner } from './target-planner.ts';
import { TreasuryService } from '../treasury/service.ts';
import { Withdrawals } from './withdrawals.ts';

export interface Handlers {
  readonly core: Core;
  readonly dispatcher: Dispatcher;
  readonly place: PlaceHandler;
  readonly quotes: QuotePlanner;
  readonly targets: TargetPlanner;
  readonly flatten: FlattenHandler;
  readonly stop: StopHandler;
  readonly treasury: TreasuryService;
  readonly intake: Intake;
}

export function wiredHandlers(deps: ExecutorDeps): Handlers {
  const core = new Core(deps);
  const dispatcher = new Dispatcher(core);
  const placement = new Placement(core, dispatcher);
  const place = new PlaceHandler(core, dispatcher, placement);
  const quotes = new QuotePlanner(core, dispatcher, placement);
  const dust = new Dust(core);
  const targets = new TargetPlanner({ core, dispatcher, placement, dust });
  const flatten = new FlattenHandler({ core, dispatcher, placement, dust });
  const treasury = new TreasuryService(core);
  const stop = new StopHandler(core, dispatcher, flatten, treasury);
  const intake = new Intake(core, dispatcher, treasury);
  const handlers: Handlers = { core, dispatcher, place, quotes, targets, flatten, stop, treasury, intake };
  const withdrawals = new Withdrawals(core, dispatcher, (tag, symbol) => forgetAll(handlers, tag, symbol));
  core.workers.push(withdrawals, placement, quotes, targets, flatten, treasury, stop);
  core.gates.add(intake.liquidations);
  for (const gate of intake.settingsGates) core.gates.add(gate);
  core.gates.add(dispatcher.blockedGate);
  deps.venue.listen((events) => {
    core.turn.run(() => {
      for (const event of events) intake.event(event);
    });
  });
  return handlers;
}

export function apply(handlers: Handlers, slot: StrategySlot, action: Action): void {
  const { core } = handlers;
  switch (action.kind) {
    case 'quote':
      handlers.quotes.quote(slot, action);
      return;
    case 'note':
      core.note(slot.tag, action.text, action.data);
      return;
    case 'place':
      core.decision(slot.tag, action);
      handlers.place.place(slot, action);
      return;
    case 'cancel': {
      core.decision(slot.tag, action);
      const order = handlers.place.cancel(slot, action);
      if (order?.origin === 'quote') handlers.quotes.clear(slot.tag, order.instrument.symbol, order.tag);
      if (order?.origin === 'target') handlers.targets.forget(order);
      return;
    }
    case 'cancelAll':
      core.decision(slot.tag, action);
      handlers.quotes.clear(slot.tag, action.symbol, action.tag);
      handlers.targets.clear(slot.tag, action.symbol, action.tag);
      handlers.place.cancelAll(slot, action);
      return;
    case 'target':
      core.decision(slot.tag, action);
      handlers.targets.target(slot, action);
      return;
    case 'flatten':
      core.decision(slot.tag, action);
      handlers.quotes.clear(slot.tag, action.symbol);
      handlers.targets.clear(slot.tag, action.symbol);
      handlers.flatten.flatten(slot, action.symbol);
      return;
    case 'transfer':
    case 'advertise':
    case 'p2pTrade':
      core.decision(slot.tag, action);
      handlers.treasury.submit(slot, action);
      return;
    default:
      core.deny(slot.tag, 'note', {
        kind: 'denied',
        reason: 'unsupported',
        message: `this action is not supported: ${canonicalJson(action)}`,
      });
  }
}

export function forgetAll(handlers: Handlers, tag: string, symbol?: string): void {
  handlers.quotes.clear(tag, symbol);
  handlers.targets.clear(tag, symbol);
}
