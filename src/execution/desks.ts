/**
 * The desks of one executor: their wiring, and which of them an action is for. Of `executor.ts`.
 */
import type { Action } from '../model/action.ts';
import { Core } from './core.ts';
import { Dispatcher } from './dispatcher.ts';
import { Dust } from './dust.ts';
import type { ExecutorDeps, StrategySlot } from './executor-types.ts';
import { FlattenDesk } from './flatten-desk.ts';
import { Intake } from './intake.ts';
import { canonicalJson } from './journal/canonical.ts';
import { PlaceDesk } from './place-desk.ts';
import { Placement } from './placement.ts';
import { QuoteDesk } from './quote-desk.ts';
import { ReductionDesk } from './reduction-desk.ts';
import { StopDesk } from './stop-desk.ts';
import { TargetDesk } from './target-desk.ts';
import { TreasuryRoom } from './treasury/room.ts';

export interface Desks {
  readonly core: Core;
  readonly dispatcher: Dispatcher;
  readonly place: PlaceDesk;
  readonly quotes: QuoteDesk;
  readonly targets: TargetDesk;
  readonly flatten: FlattenDesk;
  readonly stop: StopDesk;
  readonly treasury: TreasuryRoom;
  readonly intake: Intake;
}

/** Wires the desks: what one of them ends, finds or must cancel, the others hear of. */
export function wiredDesks(deps: ExecutorDeps): Desks {
  const core = new Core(deps);
  const dispatcher = new Dispatcher(core);
  const placement = new Placement(core, dispatcher);
  const place = new PlaceDesk(core, dispatcher, placement);
  const quotes = new QuoteDesk(core, dispatcher, placement);
  const dust = new Dust(core);
  const targets = new TargetDesk({ core, dispatcher, placement, dust });
  const flatten = new FlattenDesk({ core, dispatcher, placement, dust });
  const treasury = new TreasuryRoom(core, deps.treasury);
  const stop = new StopDesk(core, dispatcher, flatten, treasury);
  const intake = new Intake(core, dispatcher);
  const desks: Desks = { core, dispatcher, place, quotes, targets, flatten, stop, treasury, intake };
  core.desks.push(
    intake.liquidations,
    new ReductionDesk(core, dispatcher),
    placement,
    quotes,
    targets,
    flatten,
    treasury,
    stop,
  );
  core.onBalances = (rows) => treasury.balances(rows, false);
  core.gates.add(intake.liquidations);
  for (const gate of intake.settingsGates) core.gates.add(gate);
  core.gates.add(dispatcher.blockedGate);
  core.onCancelable = (order) => dispatcher.cancel([order], false);
  core.onLatched = (tag) => {
    forgetAll(desks, tag);
    const working = place.ordersOf(tag).filter(({ exits }) => !exits);
    dispatcher.cancel(working, true);
  };
  core.onHalted = (symbol) => {
    for (const tag of core.slots.keys()) forgetAll(desks, tag, symbol);
    dispatcher.cancel(
      core.state.orders.live(symbol).filter(({ exits }) => !exits),
      true,
    );
  };
  deps.venue.listen((events) => {
    core.turn.run(() => {
      for (const event of events) intake.event(event);
    });
  });
  return desks;
}

export function apply(desks: Desks, slot: StrategySlot, action: Action): void {
  const { core } = desks;
  switch (action.kind) {
    case 'quote':
      desks.quotes.quote(slot, action);
      return;
    case 'note':
      core.note(slot.tag, action.text, action.data);
      return;
    case 'place':
      core.decision(slot.tag, action);
      desks.place.place(slot, action);
      return;
    case 'cancel': {
      core.decision(slot.tag, action);
      const order = desks.place.cancel(slot, action);
      if (order?.origin === 'quote') desks.quotes.clear(slot.tag, order.instrument.symbol, order.tag);
      if (order?.origin === 'target') desks.targets.forget(order);
      return;
    }
    case 'cancelAll':
      core.decision(slot.tag, action);
      desks.quotes.clear(slot.tag, action.symbol, action.tag);
      desks.targets.clear(slot.tag, action.symbol, action.tag);
      desks.place.cancelAll(slot, action);
      return;
    case 'target':
      core.decision(slot.tag, action);
      desks.targets.target(slot, action);
      return;
    case 'flatten':
      core.decision(slot.tag, action);
      desks.quotes.clear(slot.tag, action.symbol);
      desks.targets.clear(slot.tag, action.symbol);
      desks.flatten.flatten(slot, action.symbol);
      return;
    case 'transfer':
      core.decision(slot.tag, action);
      desks.treasury.transfer(slot, action);
      return;
    case 'advertise':
      core.decision(slot.tag, action);
      desks.treasury.advertise(slot, action);
      return;
    case 'p2pTrade':
      core.decision(slot.tag, action);
      desks.treasury.p2pTrade(slot, action);
      return;
    default:
      core.deny(slot.tag, 'note', {
        kind: 'denied',
        reason: 'unsupported',
        message: `this action is not supported: ${canonicalJson(action)}`,
      });
  }
}

export function forgetAll(desks: Desks, tag: string, symbol?: string): void {
  desks.quotes.clear(tag, symbol);
  desks.targets.clear(tag, symbol);
}
