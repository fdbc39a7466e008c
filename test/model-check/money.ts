/**
 * Money without orders (interface, "Transfers", "Fiat application", "Overdrafts"; wire profile, "assumed bodies of the
 * documented money operations"): transfers along the listed routes, codes, fiat applications, crypto withdrawals and the
 * deposits they become, overdrafts. Delays of staff and chain, and the interest, are the assumed ones.
 */
import { amount, amountText, type Amount } from './amount.ts';
import { chosenText, doubtAmount, TOO_FINE } from './choice.ts';
import { agree, agreeLines, lineOf, Mismatch } from './mismatch.ts';
import { Loans } from './loans.ts';
import type { MoneyStep, StepOf } from './money-step.ts';
import { become, type Moving } from './moving.ts';
import { picked, type Setting } from './setting.ts';
import { FiatModel } from './fiat.ts';
import type { Answer, Person } from './world.ts';

interface Withdrawal extends Moving {
  readonly fee: Amount;
}

interface Code {
  readonly codeId: string;
  readonly secret: string;
  readonly creator: Person;
  readonly recipient: Person | null;
  readonly currency: string;
  readonly amount: Amount;
  readonly createdAt: number;
  activatedAt: number | null;
  activatedBy: Person | null;
}

interface TransferRoute {
  readonly from: string;
  readonly to: string;
  readonly currencies: readonly string[] | null;
}

interface Route {
  readonly currency: string;
  readonly network: string;
  readonly minAmount: string;
  readonly fee: string;
  readonly confirmations: number;
}

const MINUTE_MS = 60_000;
const blockMs: Readonly<Record<string, number>> = { BTC: 600_000, ERC20: 12_000, TRC20: 3000, TON: 5000 };

export class MoneyModel {
  readonly #setting: Setting;
  readonly #openLosses: (person: Person) => Amount;
  readonly #loans: Loans;
  readonly #fiat: FiatModel;
  readonly #places = new Map<string, number>();
  readonly #transferRoutes: readonly TransferRoute[];
  readonly #routes: readonly Route[];
  readonly #codes: Code[] = [];
  readonly #withdrawals: Withdrawal[] = [];
  readonly #addresses: { owner: Person; route: Route; address: string; memo?: string }[] = [];

  /** `openLosses`: what cross positions have lost so far, zero or below; it stays where they are. */
  constructor(setting: Setting, openLosses: (person: Person) => Amount) {
    this.#setting = setting;
    this.#openLosses = openLosses;
    const { world } = setting;
    const alice = setting.person(0);
    this.#transferRoutes = world.read(
      alice,
      '/api/v1/accounting/client/transfer/account/transfer-routes/list',
    ) as readonly TransferRoute[];
    const chains = world.read(alice, '/api/v2/withdrawals/currencies') as readonly {
      readonly currency: string;
      readonly networks: readonly Route[];
    }[];
    this.#routes = chains.flatMap((row) => row.networks.map((network) => ({ ...network, currency: row.currency })));
    const assets = world.read(alice, '/api/v2/exchange/client/asset/list');
    for (const { currency: code, precision } of assets as readonly { currency: string; precision: number }[]) {
      this.#places.set(code, precision);
    }
    this.#loans = new Loans(setting);
    this.#fiat = new FiatModel(setting);
  }

  take(step: MoneyStep): void {
    switch (step.kind) {
      case 'transfer':
        return this.#transfer(step);
      case 'draw':
        return this.#loans.draw(this.#setting.person(step.who), step.amount);
      case 'pay-loan':
        return this.#loans.pay(this.#setting.person(step.who), step.amount);
      case 'create-code':
        return this.#createCode(step);
      case 'redeem':
        return this.#redeem(step);
      case 'apply':
        return this.#fiat.apply(step);
      case 'move-application':
        return this.#fiat.move(step);
      case 'new-address':
        return this.#newAddress(step);
      case 'withdraw':
        return this.#withdraw(step);
      case 'cancel-withdrawal':
        return this.#cancelWithdrawal(step);
    }
  }

  #transfer({ who: index, from, to, currency: code, amount: choice }: StepOf<'transfer'>): void {
    const owner = this.#setting.person(index);
    if (from === 'overdraft' && to === 'unified-trading' && code === 'USDT') return this.#loans.draw(owner, choice);
    const { purse } = this.#setting;
    const available = purse.available(owner, from, code);
    const text = chosenText(choice, code, available, this.#placesOf(code));
    const kept = from === 'unified-trading' && code === 'USDT' ? this.#openLosses(owner) : 0n;
    const path = '/api/v1/accounting/client/transfer/account';
    const answer = this.#setting.world.call(owner, 'POST', path, { from, to, currency: code, amount: text });
    const must = doubtAmount(text, null);
    const isOpen = this.#transferRoutes.some(
      (route) => route.from === from && route.to === to && (route.currencies?.includes(code) ?? true),
    );
    if (!isOpen) must.push('route_not_available');
    if (text !== TOO_FINE && available + kept < amount(text)) must.push('insufficient_balance');
    if (!this.#setting.accepted(`transfer ${from} to ${to}`, answer, must)) return;
    purse.move(owner, from, code, -amount(text));
    purse.move(owner, to, code, amount(text));
    this.#setting.transaction(owner, 'transfer', 'completed', code, amount(text), from);
    const { now } = this.#setting;
    const expected = { from, to, currency: code, amount: text, createdAt: now };
    agree('transfer', lineOf(answer.json, ['transferId']), lineOf(expected));
  }

  #createCode({ who: index, currency: code, amount: choice, recipient: to }: StepOf<'create-code'>): void {
    const creator = this.#setting.person(index);
    const recipient = to === null ? null : this.#setting.person(to);
    const places = this.#placesOf(code);
    const available = this.#setting.purse.available(creator, 'funding', code);
    const text = chosenText(choice, code, available, places);
    const body = { currency: code, amount: text, ...(recipient === null ? {} : { recipient: recipient.login }) };
    const answer = this.#setting.world.call(creator, 'POST', '/api/v1/code/create-api', body);
    const must = this.#doubt(text, places, available, 0n);
    if (!this.#setting.accepted('create-code', answer, must)) return;
    const { codeId, code: secret } = answer.json as { readonly codeId: string; readonly code: string };
    if (this.#codes.some((each) => each.codeId === codeId || each.secret === secret))
      throw new Mismatch('a code twice');
    const value = amount(text);
    this.#setting.purse.move(creator, 'funding', code, -value);
    this.#setting.transaction(creator, 'code_create', 'completed', code, value, 'funding');
    const { now: createdAt } = this.#setting;
    const made = { codeId, secret, creator, recipient, currency: code, amount: value, createdAt };
    this.#codes.push({ ...made, activatedAt: null, activatedBy: null });
  }

  #redeem({ who: index, pick: at }: StepOf<'redeem'>): void {
    const person = this.#setting.person(index);
    const code = picked(this.#codes, at);
    const body = { code: code?.secret ?? 'ffffffffffffffff' };
    const answer = this.#setting.world.call(person, 'POST', '/api/v1/code/redeem', body);
    const must = code === undefined ? ['code_not_found'] : [];
    if (code?.activatedBy) must.push('code_already_activated');
    if (code?.recipient && code.recipient !== person) must.push('not_owner');
    if (!this.#setting.accepted('redeem', answer, must) || code === undefined) return;
    code.activatedBy = person;
    code.activatedAt = this.#setting.now;
    this.#setting.purse.move(person, 'funding', code.currency, code.amount);
    this.#setting.transaction(person, 'code_redeem', 'completed', code.currency, code.amount, 'funding');
  }

  #newAddress({ who: index, route: at }: StepOf<'new-address'>): void {
    const owner = this.#setting.person(index);
    const route = this.#routes[at % this.#routes.length]!;
    const wanted = { currency: route.currency, network: route.network };
    const answer = this.#setting.world.call(owner, 'POST', '/api/v1/wallet/get-new-crypto-address', wanted);
    if (!this.#setting.accepted('new-address', answer, [])) return;
    const { address, memo } = answer.json as { readonly address: string; readonly memo?: string };
    const isKnown = this.#addresses.some((each) => each.address === address && each.memo === memo);
    if (isKnown) throw new Mismatch(`the address ${address} was given out before`);
    this.#addresses.push({ owner, route, address, ...(memo === undefined ? {} : { memo }) });
    const query = `currency=${route.currency}&network=${route.network}`;
    const shown = this.#setting.world.read(owner, `/api/v1/wallet/crypto/address?${query}`);
    agree('the latest address', lineOf(shown), lineOf(answer.json));
  }

  #withdraw({ who: index, route: at, amount: choice, to, pick: which, code: steps }: StepOf<'withdraw'>): void {
    const { world, purse } = this.#setting;
    const owner = this.#setting.person(index);
    const route = this.#routes[at % this.#routes.length]!;
    const { currency: code, network } = route;
    const places = this.#placesOf(code);
    const fee = amount(route.fee);
    const available = purse.available(owner, 'funding', code);
    const text = chosenText(choice, code, available, places);
    const ours = this.#addresses.filter((each) => each.route === route);
    const target = to === 'own' ? ours[which % Math.max(1, ours.length)] : undefined;
    const address = target?.address ?? (to === 'fail' ? 'chain-fail' : 'outside-17');
    const memo = target?.memo === undefined ? {} : { memo: target.memo };
    const secondFactor = steps === null ? {} : { auth2fa_code: world.totp(owner, steps) };
    const body = { currency: code, network, address, ...memo, amount: text, ...secondFactor };
    const answer = world.call(owner, 'POST', '/api/v1/wallet/create-and-submit-crypto-out', body);
    const must = this.#doubt(text, places, available, fee);
    if (steps === 3) must.push('two_factor_invalid');
    if (text !== TOO_FINE && amount(text) < amount(route.minAmount)) must.push('below_minimum');
    if (!this.#setting.accepted('withdraw', answer, must)) return;
    const { transactionId: id, status } = answer.json as { readonly transactionId: string; readonly status: string };
    agree('withdrawal', status, 'submitted');
    const value = amount(text);
    purse.move(owner, 'funding', code, -value - fee, value + fee);
    const entry = this.#setting.transaction(owner, 'withdrawal', status, code, value, 'funding', fee);
    const made: Withdrawal = { id, owner, currency: code, amount: value, fee, entry, status, cancelStep: () => {} };
    this.#withdrawals.push(made);
    made.cancelStep = this.#setting.at(this.#setting.now + 90_000, () => {
      become(made, 'processing');
      this.#setting.at(this.#setting.now + MINUTE_MS, () => {
        const failed = to === 'fail';
        purse.move(owner, 'funding', code, failed ? value + fee : 0n, -value - fee);
        become(made, failed ? 'failed' : 'completed');
        if (target !== undefined) this.#arrive(target.owner, route, value);
      });
    });
  }

  /** A payment on the chain to one of the exchange's own addresses. */
  #arrive(owner: Person, { currency: code, network, confirmations }: Route, value: Amount): void {
    const entry = this.#setting.transaction(owner, 'deposit', 'processing', code, value, 'funding');
    this.#setting.at(this.#setting.now + confirmations * (blockMs[network] ?? 0), () => {
      this.#setting.purse.move(owner, 'funding', code, value);
      entry.become('completed');
    });
  }

  #cancelWithdrawal({ who: index, pick: at }: StepOf<'cancel-withdrawal'>): void {
    const person = this.#setting.person(index);
    const withdrawal = picked(this.#withdrawals, at);
    const path = `/api/v1/wallet/create-crypto-out/${withdrawal?.id ?? '17'}`;
    const answer = this.#setting.world.call(person, 'DELETE', path);
    const must = withdrawal === undefined ? ['not_found'] : [];
    if (withdrawal !== undefined) {
      if (withdrawal.owner !== person) must.push('not_owner');
      if (withdrawal.status === 'canceled') must.push('illegal_transition', 'already_processing');
      else if (withdrawal.status !== 'submitted') must.push('already_processing');
    }
    if (!this.#setting.accepted('cancel-withdrawal', answer, must) || withdrawal === undefined) return;
    const { owner, currency: code, amount: value, fee } = withdrawal;
    withdrawal.cancelStep();
    become(withdrawal, 'canceled');
    this.#setting.purse.move(owner, 'funding', code, value + fee, -value - fee);
  }

  /** After every step: loans; `full`: codes. */
  check(full: boolean): void {
    this.#loans.check();
    if (!full) return;
    for (const person of this.#setting.world.people) {
      const listed = this.#setting.pages(person, '/api/v1/code/my', 3);
      const expected = this.#codes.filter((code) => code.creator === person);
      const line = (row: Readonly<Record<string, unknown>>): [string, string] => [
        String(row['codeId']),
        lineOf(row, ['comment', 'code']),
      ];
      agreeLines(
        `codes of ${person.login}`,
        new Map(listed.map(line)),
        new Map(expected.map((code) => [code.codeId, codeLine(code)])),
      );
      for (const code of this.#codes) this.#checkDetail(person, code);
    }
  }

  /** The creator sees all of a code with its secret, who redeemed it everything else, others nothing. */
  #checkDetail(person: Person, code: Code): void {
    const answer: Answer = this.#setting.world.call(person, 'POST', '/api/v1/code/full', { codeId: code.codeId });
    const mayRead = code.creator === person || code.activatedBy === person;
    if (!this.#setting.accepted('code-detail', answer, mayRead ? [] : ['not_owner', 'code_not_found'])) return;
    agree(`code ${code.codeId}`, lineOf(answer.json, ['comment', 'code']), codeLine(code));
    const secret = (answer.json as { readonly code?: string }).code;
    agree(`secret of code ${code.codeId}`, String(secret), String(code.creator === person ? code.secret : undefined));
  }

  #placesOf(code: string): number {
    return this.#places.get(code)!;
  }

  #doubt(text: string, places: number, available: Amount, fee: Amount): string[] {
    const must = doubtAmount(text, places);
    if (text !== TOO_FINE && amount(text) + fee > available) must.push('insufficient_balance');
    return must;
  }
}

function codeLine(code: Code): string {
  const { codeId, currency: name, amount: value, recipient, createdAt, activatedAt, activatedBy } = code;
  return lineOf({
    codeId,
    currency: name,
    amount: amountText(value),
    status: activatedBy === null ? 'active' : 'activated',
    recipient: recipient?.login ?? null,
    createdAt,
    activatedAt,
    activatedBy: activatedBy?.login ?? null,
  });
}
