/** Fiat applications in the model (interface, "Fiat application"); the staff's delays and outcomes are assumed. */
import { amount } from './amount.ts';
import { chosenText, doubtAmount } from './choice.ts';
import { agree } from './mismatch.ts';
import type { StepOf } from './money-step.ts';
import { become, type Moving } from './moving.ts';
import { picked, type Setting } from './setting.ts';

interface Application extends Moving {
  readonly type: 'deposit' | 'withdrawal';
  readonly method: string;
}

const RUB_PLACES = 2;
const MINUTE_MS = 60_000;
const FIAT_MIN = amount('100');
const ends: Readonly<Record<string, string>> = { 'sandbox-reject': 'rejected', 'sandbox-fail': 'failed' };

export class FiatModel {
  readonly #setting: Setting;
  readonly #applications: Application[] = [];

  constructor(setting: Setting) {
    this.#setting = setting;
  }

  apply({ who: index, type, currency: code, amount: choice, method, submit }: StepOf<'apply'>): void {
    const owner = this.#setting.person(index);
    const places = RUB_PLACES;
    const available = this.#setting.purse.available(owner, 'funding', code);
    const text = chosenText(choice, code, available, places);
    const path = submit
      ? '/api/v1/processing/create-and-submit-fiat-application'
      : '/api/v1/processing/fiat-application';
    const answer = this.#setting.world.call(owner, 'POST', path, { type, currency: code, amount: text, method });
    const must = doubtAmount(text, places);
    if (code !== 'RUB') must.push('bad_request');
    if (must.length === 0 && amount(text) < FIAT_MIN) must.push('below_minimum');
    if (must.length === 0 && submit && type === 'withdrawal' && amount(text) > available)
      must.push('insufficient_balance');
    if (!this.#setting.accepted(`apply-${submit ? 'submit' : 'draft'}`, answer, must)) return;
    const { applicationId: id } = answer.json as { readonly applicationId: string };
    const status = submit ? 'submitted' : 'created';
    const value = amount(text);
    const entry = this.#setting.transaction(owner, type, status, code, value, 'funding');
    const application = { id, owner, type, currency: code, amount: value, method, entry, status, cancelStep: () => {} };
    this.#applications.push(application);
    if (submit) this.#toStaff(application);
    agree('application', String((answer.json as { readonly status: string }).status), status);
  }

  move({ who: index, pick: at, move }: StepOf<'move-application'>): void {
    const { world, purse } = this.#setting;
    const person = this.#setting.person(index);
    const application = picked(this.#applications, at);
    const body = { applicationId: application?.id ?? '17' };
    const method = move === 'confirm' ? 'PATCH' : 'DELETE';
    const answer = world.call(person, method, '/api/v1/processing/fiat-application', body);
    const must = application === undefined ? ['not_found'] : [];
    if (application !== undefined) {
      const { status, owner, type, currency: code, amount: value } = application;
      const legal = move === 'confirm' ? ['created'] : ['created', 'submitted'];
      if (owner !== person) must.push('not_owner');
      if (!legal.includes(status)) must.push('illegal_transition');
      const short = purse.available(owner, 'funding', code) < value;
      if (must.length === 0 && move === 'confirm' && type === 'withdrawal' && short) must.push('insufficient_balance');
    }
    if (!this.#setting.accepted(`application-${move}`, answer, must) || application === undefined) return;
    if (move === 'confirm') this.#toStaff(application);
    else {
      application.cancelStep();
      if (application.status === 'submitted') this.#unlock(application);
      become(application, 'canceled');
    }
    agree('application', String((answer.json as { readonly status: string }).status), application.status);
  }

  #toStaff(application: Application): void {
    const { owner, type, currency: code, amount: value, method } = application;
    const { purse, now } = this.#setting;
    if (type === 'withdrawal') purse.move(owner, 'funding', code, -value, value);
    become(application, 'submitted');
    application.cancelStep = this.#setting.at(now + 2 * MINUTE_MS, () => {
      become(application, 'processing');
      this.#setting.at(this.#setting.now + 5 * MINUTE_MS, () => {
        become(application, ends[method] ?? 'completed');
        if (application.status !== 'completed') this.#unlock(application);
        else if (type === 'withdrawal') purse.move(owner, 'funding', code, 0n, -value);
        else purse.move(owner, 'funding', code, value);
      });
    });
  }

  #unlock({ owner, type, currency: code, amount: value }: Application): void {
    if (type === 'withdrawal') this.#setting.purse.move(owner, 'funding', code, value, -value);
  }
}
